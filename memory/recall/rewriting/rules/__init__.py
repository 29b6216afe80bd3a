"""What learning is thin on: lists, comparisons, "tell me more", and questions asked again.

A rule takes the question and the exchanges and returns a rewrite, or nothing where it doesn't
apply. English, Spanish, German and French.
"""

from memory.recall.rewriting.rules.again import (
    and_name,
    and_that,
    and_there,
    is_it_so,
    same_rule,
    than_another,
    who_is,
)
from memory.recall.rewriting.rules.amending import (
    another_condition,
    back_to,
    corrected,
    done_otherwise,
    done_to_another,
    same_for,
    the_other_end,
)
from memory.recall.rewriting.rules.asked_of import (
    another_by_number,
    of_the_same,
    those_counted,
    whatever_it_is,
    whoever_it_is,
)
from memory.recall.rewriting.rules.ellipsis import asked_further, exemplified
from memory.recall.rewriting.rules.figures import and_labelled, and_number, and_option
from memory.recall.rewriting.rules.focus import (
    its_own_antecedent,
    its_own_matter,
    its_own_subject,
    meant_by_it,
)
from memory.recall.rewriting.rules.fragments import (
    and_else,
    and_part,
    and_thing,
    of_another,
)
from memory.recall.rewriting.rules.in_turn import it_in_turn, together
from memory.recall.rewriting.rules.kinds import how_many_do, which_of_the_kind
from memory.recall.rewriting.rules.languages.french import french_pronoun
from memory.recall.rewriting.rules.languages.german import german_possessive, german_pronoun
from memory.recall.rewriting.rules.languages.spanish import (
    if_it_does,
    object_in_spanish,
    of_what_it_is,
    without_subject,
)
from memory.recall.rewriting.rules.places import of_a_place, there
from memory.recall.rewriting.rules.remedies import if_it_is_not_done, remedy
from memory.recall.rewriting.rules.several import (
    comparison,
    list_items,
    more_of_the_same,
    of_them,
    the_other,
)
from memory.recall.rewriting.rules.succession import in_succession

__all__ = ["RULES"]

# In the order in which they are tried.
RULES = (
    in_succession,
    if_it_is_not_done,
    asked_further,
    exemplified,
    more_of_the_same,
    together,
    who_is,
    of_a_place,
    back_to,
    remedy,
    its_own_antecedent,
    list_items,
    the_other,
    same_for,
    corrected,
    comparison,
    of_them,
    same_rule,
    is_it_so,
    of_the_same,
    another_by_number,
    those_counted,
    which_of_the_kind,
    how_many_do,
    of_what_it_is,
    without_subject,
    if_it_does,
    german_possessive,
    german_pronoun,
    french_pronoun,
    another_condition,
    object_in_spanish,
    there,
    than_another,
    the_other_end,
    of_another,
    and_labelled,
    and_number,
    and_option,
    done_otherwise,
    done_to_another,
    and_there,
    and_that,
    and_name,
    and_else,
    and_thing,
    and_part,
    its_own_matter,
    its_own_subject,
    it_in_turn,
    meant_by_it,
    whatever_it_is,
    whoever_it_is,
)
