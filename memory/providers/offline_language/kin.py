"""Words that answer each other: a question about one finds a statement with another."""

from memory.domain.text import fold, stem

_KIN = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "live lives living lived move moved reside residence based home relocate wohne wohnt wohnst wohnen "
        "umgezogen gezogen vivo vive vivir mude mudo habite habites habiter demenage живу живет живут живешь "
        "переехал переехала переезжаю 住在 搬到 住 搬 引っ",
        "work works worked working job employer company employed profession occupation career",
        "like likes love loves enjoy enjoys prefer favourite favorite",
        "dislike dislikes hate hates detest detests loathe",
        "go goes going went gone",
        "buy bought purchase purchased",
        "name named called",
        "birthday born",
        "trip travel travelled traveled visit visited went",
        "allergy allergic allergies",
    )
)
# A word for many finds each of them, one of them finds the word for all, but not another of them.
_KINDS = tuple(
    (frozenset(stem(word) for word in wide.split()), frozenset(stem(word) for word in narrow.split()))
    for wide, narrow in (
        ("child children kid kids", "son daughter"),
        ("spouse partner married", "wife husband"),
        ("parent parents", "mother father mom mum dad"),
        ("sibling siblings", "brother sister"),
        ("pet pets", "dog cat rabbit hamster parrot"),
    )
)


# Who is who, in other words and languages.
_WHO = tuple(
    frozenset(stem(fold(word)) for word in group.split())
    for group in (
        "mother mom mum mama mutter mutti madre mère maman mamá mãe мама мать",
        "father dad papa vater père padre papá pai отец папа",
        "brother bruder frère hermano fratello irmão брат",
        "sister schwester sœur soeur hermana sorella irmã сестра",
        "son sohn fils hijo figlio filho сын",
        "daughter tochter fille hija figlia filha дочь дочка",
        "wife ehefrau épouse esposa moglie жена",
        "husband ehemann mari esposo marido marito муж",
        "grandmother grandma granny nana oma großmutter grossmutter mamie abuela nonna avó бабушка",
        "grandfather grandpa grandad opa großvater grossvater papi abuelo nonno avô дедушка",
        "aunt auntie tante tía zia tia тётя тетя",
        "uncle onkel oncle tío zio tio дядя",
        "cousin cousine primo prima cugino cugina",
        "niece nièce sobrina nipote sobrinha племянница",
        "nephew neffe neveu sobrino sobrinho племянник",
        "dog puppy hund chien perro cane cachorro hond pies собака",
        "cat kitten katze kater chat gato gata gatto kat kot кошка кот",
    )
)


def kin_of(term: str) -> frozenset[str]:
    """The search term and those that answer it."""
    same = _who(term)
    for wide, narrow in _KINDS:
        if term in wide:
            return wide | narrow
        if same & narrow:
            return wide | same
    return next((group | same for group in _KIN if term in group), same)


def is_relative(term: str) -> bool:
    """Whether the search term says which relative or pet of somebody is meant."""
    return len(_who(term)) > 1 or any(term in wide | narrow for wide, narrow in _KINDS)


def _who(term: str) -> frozenset[str]:
    return next((group for group in _WHO if term in group), frozenset({term}))
