"""Words of everyday English with which any question is put: they describe, and name nothing that code is about.

``Through which stages does a run go to the finished project?`` is about runs and projects: that no line says "stages"
or "finished" tells nothing. ``Which class writes items to a Kafka topic?`` is about Kafka. What is listed here counts
little in the strength of evidence, and its absence is no reason to decline. Ranking does not look at it.
"""

from __future__ import annotations

import re
from functools import lru_cache

_COMMON = """
abandon able abort absence absent absolute absolutely absorb abundant accept access accident accidentally accompany
accomplish accordance accordingly accurate accurately achieve acknowledge acquire act actually adapt add address
adequate adhere adjacent adjust admit adopt advance advantage adverse advice advise affect afford afterwards age ago
agree ahead aid aim alike alive allow allowance allowed almost alone along already alter alternate alternative
altogether amend amount ample analyse analyze anatomy anew angry announce another answer answerable anticipate anyhow
anywhere apart app apparent apparently appeal appear application apply appreciate approach appropriate approve
approximate approximately arbitrary architectural architecture arise arrange arrive aside ask aspect assemble assert
assess assist associate assume assure attach attain attempt attend attention attract attribute automatic automatically
avail avoid await aware away back bad badly balance ban bare barely base based basic basis bear bearing beat become
beforehand begin beginning behalf behave behind belief believe belong beneath benefit beside besides best bet better
beyond bias big bind bit bitter blame blind blow both bother bottom bound boundary break brief bring broad broadly
broken brought build built bunch burden burst busy calculate call callee caller calm came cannot capable capacity care
careful carefully careless carrier carry cast casual catch category cause caused caution cease center central centre
ceremony certain chain challenge chance change chapter character charge cheap cheaply check chief choice choose chosen
circumstance cite claim clarify classic classify clean clear clearly clever climb close closed closely closing clue
codebase coincide cold collapse colleague collect combination combine combined comes command commence comment common
commonly companion comparable comparatively compare comparison compel compensate compete competent compile complain
complement complete completely complex complicated comply compose comprise compromise compute conceal conceive
concentrate concern conclude conclusion concrete concretely condition conduct confident confine confirm conflict confuse
conjunction connect consecutive consensus consent consequence consider considerable considerably consist consistent
consistently constantly constitute constrain constraint construct consult consume contact contain contemporary contend
content contest continually continue continuous continuously contrary contrast contribute control controversy
convenience convenient convention conventional converse conversely convert convey convince cooperate coordinate cope
core corner correct correctly correspond corresponding costly count couple courage course courtesy cover craft crash
crazy create criterion crucial crude curious curiously current currently custom customary cut daily damage danger dark
day days dead deadline deal dear debate decent decide decided decides decision decisive declare decline decrease
dedicate deem deep default defeat defect defend defer defined definite definitely degree delay deliberate deliberately
delicate deliver demand demonstrate deny depart departure depend dependent depict deposit depress deprive depth derive
describe deserve desirable desire desperate despite destination destine destroy detach detail detailed detect determine
developer deviate devise devote dictate die differ difference different differently difficult dig dimension diminish
direct directly dirty disadvantage disagree disappear disaster discard disclose discover dismiss dispense displace
dispose dispute disrupt dissolve distance distant distinct distinction distinctive distinguish disturb diverse divide
dominant donate done double doubt downward drag dramatic drastic draw drawn dream dress drift drive driven drop dry due
dull duly dump duplicate duration duty dwell dynamic each eager earlier early ease easier easiest easily easy economical
edit effect effective effectively efficient efficiently effort eight either elaborate elder elect elegant element
eligible eliminate else elsewhere embark embody embrace emerge emit emphasis emphasise emphasize employ empty enable
enclose encounter encourage end endeavour endless endure enforce engage engineer enhance enjoy enlarge enormous enough
enrich ensure entail enter enthusiasm entire entirely entitle entries entry equal equally equip equivalent err escape
especially essence essential essentially establish estimate etc evaluate even eventually every everybody everyone
everywhere evidence evident evidently evil evolve exact exactly examine example exceed excellent except exceptional
excess excessive exchange excite exclude excuse execute exempt exercise exhaust exhibit exist existing exit exotic
expand expansion expect expense expensive experience experiment expert expire explain explanation explicit explicitly
explore expose express extend extent exterior external extra extract extraordinary extreme extremely face facilitate
fact factor fail failure faint fair fairly faith faithful fake fall false fame familiar fancy far fashion fast fatal
fate fault favor favour favourable favourite fear feasible feature feed feel fellow fetch few fewer fierce fight fill
final finally find fine finish firm firmly first fit five fix fixed flag flat flavor flavour flaw flexible float flood
flow fluent fly focus fold folk follow fond fool forbid forbidden force forcibly foreign foremost forever forget formal
formally former formulate forth fortune forward foster found four fourth fraction fragile fragment frame free freedom
freely freeze frequent frequently fresh friendly fulfil fulfill full fully function functional fundamental furnish
further furthermore future gain gap gather general generally generate gentle genuine gesture get giant give given gladly
glance glimpse global globally glue goal gone good govern graceful gracefully grade gradual gradually grand grant grasp
grateful grave great greedy greet grip gross ground grow guarantee guard guess guide guilty habit half halfway halt
halves hand handful handle handy hang happen happened hard harm harsh haste hasty hate have head hear heart heavily
heavy height held help helpful hence here hesitate hidden hide hierarchy high hinder hint historic hitherto hold hollow
holy home honest honor honour hope horrible hour hours huge human humble hundred hurry hurt hybrid idea ideal identical
identify ignore ill illegal illustrate imagine immediate immediately impact impair impatient impede implicit implicitly
imply important impose impossible impress improper improve inadequate inappropriate incapable incident incidental incl
incline include inclusive incompatible incomplete inconsistent inconvenient incorrect increase increasingly incur indeed
indefinite indefinitely independent indicate indicator indirect indirectly individual induce inevitable inevitably infer
infinite influence inform information inherent inherently inhibit initial initially initiate inject injury inner
innocent innovative inquire inside insight insignificant insist inspect inspire instance instant instantly instead
instruct insufficient insure intact integral integrate intelligent intend intense intent intention interact interaction
interchange interest interfere interim interleave intermediate internal interplay interpret interrupt interval intervene
intimate intrinsic introduce invalid invalidate invent invest investigate invisible invite invoke involve inward
irregular irrelevant isolate isolated issue item job join judge jump just justify keen keep keeper kept kind kindly
knock know knowledge known label labour lack land large largest last lasting late lately later latest laugh launch lay
layer layers lead leads leak lean leap learn least leave left legacy legal legitimate leisure lend length lengthy less
lesser lesson let level liability liable liberal lie lies life lifetime lift light lightly likelihood likely likewise
limit limited line list listen literal literally little live load loan local locate location logic logical logically
lonely long longer look loop loose loosely lose loss lost lot lovely low lower lucky made magic magnitude main mainly
maintain maintainer maintenance major majority make malformed malicious manage mandatory manifest manner manual manually
many map mark mass massive master match matter mature maximum mean meaning meaningful meaningless means meant meantime
meanwhile measure mechanical mechanism medium meet member mend mental mention merely merit mess method middle might mild
milliseconds mind minimal minimise minimize minimum minor minority minutes misbehave mislead mismatch miss missing
mistake misuse mix mobile mode moderate modern modest modification modify moment momentary monitor month mood moral more
moreover most mostly motion motivate motivation motive mount move much multiple must mutual mystery name namely narrow
natural naturally nature near nearly neat necessarily necessary necessity need negative neglect negotiable neighbor
neighbour neither nervous nest neutral never nevertheless new newly next nine nobody nominal none nonetheless nonsense
norm normal normally notable notably note nothing notice notify notion notorious novel now nowadays nowhere nuance
number numerous obey object obligation oblige obscure observation observe obsolete obstacle obtain obvious obviously
occasion occasional occasionally occupy occur occurrence odd offend offer official often old older oldest omit once one
ones ongoing only onward open opening operate operation opinion opponent opportunity oppose opposite oppress opt optimal
optimise optimize optional order ordinary organise organize orient origin original originally originate other ought
outcome outer outline output outside overall overcome overlap overlook override oversee overview overwhelm owe own owner
pace paid pair panic paragraph parallel part partial partially participate particle particular particularly partly
partner parts party pass passage passive past path patience patient pattern pause pay peculiar penalty people perceive
perfect perfectly perform perhaps periodic periodically permanent permanently permit person persuade pertain phase
phases phenomenon philosophy phrase physical pick piece place plain plan plausible play pleasant please pledge plenty
plural plus point polite politely pollute poor popular populate portion position positive possess possession possibility
possible possibly postpone potential potentially powerful practical practically practice praise precaution precede
precious precise precisely predict prefer prefix preliminary premature prepare presence present preserve presumably
pretend pretty prevail prevent previous previously pride primarily primary principal principle prior privilege prize
probably problem procedure proceed process proclaim produce profit profound program progress prohibit project prolong
prominent promise prompt promptly prone pronounce proof proper properly property proportion propose prospect prosper
protect protest proud prove provide provided provider provision provisional provoke pseudo publish pull punish pure
purely purpose pursue push put puzzle qualified qualify quality quantity quarter quest question quick quickly quiet
quite quote radical raise ran randomly range rank rapid rapidly rare rarely rate rather ratio rational rationale raw
reach react read ready real really rearrange reason reasonable reasonably rebel rebuild recall receive recent recently
recipient reckon recognise recognize record recover recur recursive redirect reduce redundant refer reference refine
reflect reform refresh refuse regain regard regardless region regret regular regularly regulate reinforce reject relate
related relation relationship relative relatively relax release relevant reliable relieve reluctant rely remain
remainder remark remarkable remedy remember remind remote remove render renew repair repeat repeatedly repetition
replace reply report represent reproduce reputation require requirement rescue resemble reserve reset reside resist
resolve resort resource respect respectively respond responsibility responsible rest restart restrict result resume
retain retire retreat retrieve return reuse reveal revenge reverse revise revive reward rich rid ridiculous right rigid
rigorous ripe rise risk rival robust rose rough roughly round rude ruin rule run rush sacred sacrifice sad safe said
sake same sat satisfactory satisfy save say says scale scan scarce scarcely scatter scenario scheme scope score scratch
search second seconds secret section secure see seek seem seen seize seldom select selection selective self send sense
sensible sensitive sent separate separately sequence series serious seriously set settle seven several severe shadow
shake shallow shape share sharp sheer shelter shift shine shock short shortcut shortly should shout show shut side
sideways sight sign significant significantly silence silent silently silly similar similarity similarly simple simply
simultaneously since sincere single sit situation six size skill skip slice slide slight slightly slip slow small smart
smooth smoothly social soft sole solely solid solution solve some somewhat soon sorry sort space spare speak special
specific specify spectacular speculate speed spend spirit spite splendid split spoil spontaneous spot spread squeeze
stable stage stages stale stamp stand standard start startup state statement static stay steady steal steep step stick
stiff still stimulate stood stop store straight strain strange strategy strength strengthen stress stretch strict
strictly strike strip strive stroke strong strongly structure struggle stubborn study stuff style subject subsequent
substitute subtle succeed success such sudden suffer suffice sufficient suggest suggestion suit suitable sum summarise
summarize summary super superior supervise supplement supply support suppose suppress supreme sure surely surface
surprise surprising surrender surround survey survive suspect suspend sustain swallow swap sweet swift switch symbolic
symmetric sympathy symptom synonym systematic table tail take taken tale talent talk target task taught tedious tell
temporarily temporary tempt ten tend tendency tense term terminate terrible territory test text than theme theoretical
theory thereby thick thin thing think third thorough thoroughly though thought threat three threshold thrive through
throw thrown thus tie tight tightly time times tiny tired tiresome together told tolerate tone tool top torture total
touch tough tour toward track traditional transfer transform transition transparent transparently trap travel treat
treatment tremendous trend trial trick tricky trigger triple triumph trivial trouble true truly trust try tune turn
turned turns twice twist two type typical typically ugly ultimate unable unaware uncertain unchanged unclear uncover
under undergo underlying understand understood undo undone unexpected unfair unfinished unfold unfortunate unfortunately
uniform uniformly unify unintended unique unit universal universally unknown unless unlike unlikely unnecessary
unpleasant unrelated unsafe unsuitable untouched unusual unwanted upcoming update upgrade uphold upper upset upside
upward urge urgent usable usage use useful usual usually utilise utility utilize utmost utter vacant vague vain valid
valuable value vanish variant variety various vary vast verify version versus via vice vicious victim view vigorous
violate virtual virtually virtue visible visit vital vivid voluntary vulnerable wait wake walk wander want warm warn
warning waste watch way weak weaken wealth wear week weigh weight weird welcome well went wet whatsoever wherein whole
wholly wicked wide widely widespread wild willing win wise wish withdraw withhold within without witness wonder
wonderful word work worry worse worst worth worthwhile worthy wound wrap write written wrong year yes yet yield zero
"""
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN_WORD = re.compile(r"(?<![\w.`'\"])[^\W\d_]+(?![\w(`'\"]|\.\w)")  # no part of an identifier or a quotation
_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("es", ""), ("es", "e"), ("s", ""),
    ("est", ""), ("est", "e"), ("ly", ""),
)  # fmt: skip
_LEAST_STEM = 3


def is_common(word: str) -> bool:
    """Whether a word, or each part of a hyphenated one, is listed, also inflected (``decides``, ``running``)."""
    parts = _WORD.findall(word.lower())
    return bool(parts) and all(_listed(part) for part in parts)


def common_terms_of(text: str) -> frozenset[str]:
    """The index terms of the common words of a question, as far as they stand as words."""
    from retrieval.text.terms import index_terms

    return frozenset(term for word in _PLAIN_WORD.findall(text) if is_common(word) for term in index_terms(word))


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    return frozenset(_COMMON.split())


def _listed(word: str) -> bool:
    known = _words()
    if word in known:
        return True
    for ending, other in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            stem = word[: -len(ending)]
            doubled = ending in ("ing", "ed") and len(stem) > _LEAST_STEM and stem[-1] == stem[-2]
            if stem + other in known or (doubled and stem[:-1] in known):
                return True
    return False
