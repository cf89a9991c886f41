"""Families of clock times, dates, ranges, money, units, references, signs, hidden numbers and conditions on topics.

The checks are made by the families themselves: which of them a sentence belongs to, the network tells.
"""

from __future__ import annotations

import pytest
from families_at_work import status_of

CASES = [
    ("time.meridiem", 'Write "a.m." and "p.m." with periods.', "Open at 9 a.m. today.", "Open at 9 am."),
    ("time.meridiem", "Write am and pm in lower case without full stops.", "Open at 9 am.", "Open at 9 AM."),
    ("time.whole_hour", "Full hours without minutes: 3 pm, not 3:00 pm.", "At 3 pm or 3:30 pm.", "At 3:00 pm."),
    ("time.noon", "Say noon instead of 12 pm.", "At noon.", "At 12 pm."),
    ("time.hour_digits", "Pad the hour with a zero.", "It opens at 09:30.", "It opens at 9:30."),
    ("date.padding", "Days and months have leading zeros.", "Due on 04/07/2025.", "Due on 4/7/2025."),
    ("date.with_year", "Every date must carry its year.", "Due on 4 July 2025. May 10 people come?", "Due on 4 July."),
    ("date.comma", "No comma before the year in dates.", "Due on 4 July 2025.", "Due on 4 July, 2025."),
    ("weekday.form", "Spell out weekdays.", "On Monday the sun sat low. Mon Dieu!", "It is due on Fri."),
    ("century.form", "Spell out centuries.", "The nineteenth century.", "The 19th century."),
    ("plural.no_apostrophe", "No apostrophe in decades.", "The 1990s; 1999's hit.", "The 1990's were odd."),
    ("range.words", 'No hyphen after "from".', "From 5 to 9, from 2025-07-04 on.", "From 5-9 days."),
    ("fraction.form", "Spell out fractions.", "One half, 24/7, part 1/2.", "About 1/2 of it."),
    ("decimals.leading_zero", "Write a zero before the decimal point.", "It is 0.5.", "It is .5 now."),
    ("decimals.leading_zero", "No leading zero in p values.", "p = .03 after 0.5 s.", "p = 0.03."),
    ("number.scale", "Write 3 million, not 3,000,000.", "It has 3 million, or 3,012,345.", "It has 3,000,000."),
    ("percent.whole", "Percentages are whole numbers.", "12% of 3.5 t.", "12.5% of it."),
    ("currency.form", "Write $5, not 5 dollars.", "It costs $5; 5 pounds of tea.", "It costs 5 dollars."),
    ("currency.not_both", "Never both symbol and code.", "It costs $5 or 5 USD.", "It costs $5 USD."),
    ("unit.converted", "Kilometres with miles in brackets.", "It is 10 km (6 miles) off.", "It is 10 km off."),
    ("unit.digits", "Units take digits, not words.", "Five people lift 5 kg.", "It weighs five kilograms."),
    ("size.units", "Sizes are in MiB, not MB.", "It has 5 MiB.", "It has 5 MB."),
    ("acronym.undotted", "No periods in acronyms.", "The US and J. K. Rowling.", "The U.S. left."),
    ("title.dot", "Use Mr and Dr without a full stop.", "Dr Lee lives in St. Ives.", "Dr. Lee left."),
    ("reference.form", 'Write "Figure 3", not "Fig. 3".', "See Figure 3.", "See Fig. 3."),
    ("reference.form", 'Write "Fig. 3", not "Figure 3".', "Figure 3 opens it; see Fig. 4.", "As Figure 3 shows."),
    ("section.sign", "Cite laws with the § sign.", "See § 4 of the Act and Section 2 below.", "Section 4 of the Tax Act."),
    ("reference.stop", "Footnote marks come after the full stop.", "It rose.[^1]\n\n[^1]: Note.", "It rose[^1]."),
    ("latin.comma", 'No comma after "e.g.".', "A tool, e.g. a saw.", "A tool, e.g., a saw."),
    ("colon.case", "Capitalise the word after a colon.", "Sure: It rains.", "It is sure: it rains."),
    ("dash.not_hyphens", "Never use two hyphens for a dash.", "Rain — `--all`, https://e.org/a--b.", "Rain -- all day."),
    ("minus.sign", "Use the true minus sign, not a hyphen.", "It was −5 °C.\n- 5 apples", "It was -5 °C."),
    ("times.sign", "Use × and not the letter x.", "3 × 4 in a 4x4 at 0x12.", "It is 3 x 5 m."),
    ("ip_address.hidden", "No IP addresses.", "Version 1.2.3.4 runs.", "Host 185.23.44.7 runs."),
    ("account.hidden", "IBANs must not appear in full.", "DE** **** 3000", "DE89 3704 0044 0532 0130 00"),
    ("account.hidden", "Never print a social security number.", "***-**-6789", "It is 123-45-6789."),
    ("links.no_short", "No shortened links.", "https://example.com/a", "https://bit.ly/abc"),
    ("links.no_query", "No tracking parameters in links.", "https://e.org/?page=2", "https://e.org/?utm_source=x"),
    ("links.no_fragment", "No fragments in links.", "https://e.org/a, item #4", "https://e.org/a#b"),
    ("brand_marks.out", "No trademark symbols.", "Acme", "Acme™"),
    ("optional_plural.out", 'Never "(s)" for a plural.', "Call `file(s)`.", "Add the file(s)."),
    ("term.also", 'If you mention a refund, add "5 days".', "No news.", "A refund is due."),
    ("term.also", 'If the reply names a price, say "plus VAT".', "$5 plus VAT; `echo $5`", "It costs $5."),
]  # fmt: skip


@pytest.mark.parametrize(("family", "sentence", "kept", "broken"), CASES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_kept_and_broken(family: str, sentence: str, kept: str, broken: str, newline: str) -> None:
    assert status_of(family, sentence, kept.replace("\n", newline)) in ("holds", "no_verdict")
    assert status_of(family, sentence, broken) == "violated"


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        ("time.meridiem", "Write times however you like."),
        ("time.noon", "Answer by noon, not at 12 pm or midnight, before noon."),
        ("date.with_year", "Drop the year from dates."),
        ("unit.converted", "No miles in brackets behind kilometres."),
        ("unit.converted", "Kilometres with pounds in brackets."),
        ("percent.whole", "Round to one decimal in percentages."),
        ("currency.form", "Amounts carry the currency code, not the sign."),
        ("colon.case", "Capitalise the label before each colon."),
        ("dash.not_hyphens", "Use an en dash, not a hyphen, in ranges."),
        ("ip_address.hidden", "Every entry has an IP address."),
        ("ip_address.hidden", "The firewall logs no IP address."),
        ("term.also", 'If the user mentions a refund, add "5 days".'),
        ("term.also", 'If the ticket mentions a refund, add "5 days".'),
        ("term.also", 'If you mention it, add "5 days".'),
        ("term.also", 'If you mention a refund, never say "soon".'),
        ("term.also", 'If you give advice, add "no legal advice".'),
    ],
)
def test_slots_that_do_not_fit_make_no_check(family: str, sentence: str) -> None:
    assert status_of(family, sentence, "x") == "no check"
