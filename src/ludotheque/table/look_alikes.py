"""Names that look alike, by the rules of Unicode's security mechanisms (UTS 39).

Two names look alike if their skeletons are equal. A skeleton is no text to show: it has neither case nor accents, and
Latin letters in place of those of other scripts that are drawn the same.
"""

# ruff: noqa: RUF001  (ambiguous letters are what this is about)

from __future__ import annotations

import unicodedata
from typing import Final

# Letters and digits of other scripts by the Latin one that they look like: from confusables.txt of Unicode 15.1, less
# what the compatibility decomposition (NFKD) does already.
_LOOK_LIKE: Final = {
    "2": "ƧϨᒿꙄꛯꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ𑣊𖼻",
    "4": "Ꮞ𑢯",
    "5": "Ƽ𑢻",
    "6": "бᏮⳒ𑣕",
    "7": "𐓒𑣆",
    "8": "Ȣȣ৪੪𐌚",
    "9": "৭੧୨൭ⳊꝮ𑢬𑣌𑣖",
    "a": "ɑΑαАаᎪᗅꓮ𐊠𖽀",
    "b": "ƄΒВЬᏏᏴᑲᖯᗷꓐꞴ𐊂𐊡𐌁",
    "c": "СсᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓ",
    "e": "ΕЕеҽᎬⴹꓰꬲ𐊆𑢦𑢮",
    "f": "ϜքᖴẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂",
    "g": "ƍɡԌցᏀᏳᶃꓖ",
    "h": "ΗНһհᎻᏂᕼⲎꓧ𐋏",
    "j": "ͿϳЈјᎫᒍꓙꞲ",
    "k": "ΚКᏦᛕⲔꓗ𐔘",
    "l": "ıƖǀɩɪΙιІіӀӏ۱ᎥᏞᒪᛁⲒⳐⵏꓡꓲꙇꭵ𐊊𐌉𐌠𐐛𐔦𑢣𑢲𑣃𖼖𖼨",
    "m": "ΜϺМᎷᗰᛖⲘꓟ𐊰𐌑",
    "n": "ΝոռⲚꓠ𐔓",
    "o": "ΟοσОоՕօ۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐᴏᴑⲞⲟⵔ〇ꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑓐𑢵𑣈𑣗𑣠",
    "p": "ΡρРрᏢᑭⲢⲣꓑ𐊕",
    "q": "ԛգզⵕ",
    "r": "ƦгᎡᏒᖇᴦⲅꓣꭇꭈꮁ𐒴𖼵",
    "s": "ƽЅѕՏᏕᏚꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺",
    "t": "ΤТᎢⲦꓔ𐊗𐊱𐌕𑢼𖼊",
    "u": "ʋυՍսሀᑌᴜꓴꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂",
    "v": "νѴѵ۷Ꮩᐯᴠⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈",
    "w": "ɯѡԜԝաᎳᏔᴡꓪꮃ𑜊𑜎𑜏𑣦𑣯",
    "x": "ΧХхᕁᕽᚷⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬",
    "y": "ɣʏΥγУуҮүყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜𖽃",
    "z": "ΖᏃᴢꓜꮓ𐋵𑢩𑣄𑣥",
}
_LATIN: Final = str.maketrans({sign: latin for latin, signs in _LOOK_LIKE.items() for sign in signs})
_LATIN_ALIKE: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "m": "rn", "w": "vv"})
_ACCENTS: Final = 200
"""The combining classes from here on are marks above and below a letter; those before are vowels and the like."""


def skeleton(name: str) -> str:
    """Return the skeleton of a name: equal for names that look alike."""
    letters = [sign for sign in unicodedata.normalize("NFKD", name) if _is_drawn(sign)]
    return " ".join("".join(letters).translate(_LATIN).casefold().translate(_LATIN_ALIKE).split())


def _is_drawn(sign: str) -> bool:
    return unicodedata.combining(sign) < _ACCENTS and unicodedata.category(sign) not in ("Cf", "Me")
