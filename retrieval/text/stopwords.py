"""Words that carry little in a question: dropped, or kept at a reduced weight.

The index keeps every word, so these lists can change without a re-index.
"""

from __future__ import annotations

_QUESTION_WORDS = """
a about above after again against all also although always am an and any anybody anyone anything are around as at
away be became because become becomes been before being below between both but by came can cannot come could did
do does doing don done down during each either else ever every everything explain few for from further
get gets getting give given gives go goes going got had happen happens has have having he help her here hers him
his how however i if in instead into is isn it its itself just know let like ll ll m make makes making many may me
might mine more most much must my myself need needs neither no nor not now of off often on once one only onto or
other others otherwise our ours ourselves out over own per please put quite rather re s same see seen shall she
should show shows since so some somehow someone something still such t take takes tell than that the their theirs
them themselves then there therefore these they thing things this those though through thus to too toward towards
under unless until up upon us ve very via want wants was wasn way ways we well were what whatever when whenever
where wherever whether which whichever while who whoever whole whom whose why will with within without won work
works would yes yet you your yours
"""

_BOILERPLATE = """
actual actually behavior behaviour behaviors behaviours case class classes code codebase component components
concept define defined defines definition design different do ensure exact exactly feature features file files
find function functionality functions handle handled handles handling implement implementation implemented
implements internal internally involve involved location locate located logic mechanism method methods module
modules package perform performed performs place process project purpose repo repository responsible role
source specific specifically step steps system use used uses using various
"""

# English function words and the words questions are made of. Compared in lower case, before stemming.
QUESTION_WORDS = frozenset(_QUESTION_WORDS.split())

# Words that nearly every question about code holds. They may be names too, so they keep some weight.
BOILERPLATE = frozenset(_BOILERPLATE.split())
BOILERPLATE_WEIGHT = 0.35
