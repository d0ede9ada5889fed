const names: Readonly<Record<number, readonly [sign: string, name: string]>> = {
  0xad: ['SHY', 'soft hyphen'],
  0x34f: ['CGJ', 'combining grapheme joiner'],
  0x61c: ['ALM', 'Arabic letter mark'],
  0x200b: ['ZWSP', 'zero-width space'],
  0x200c: ['ZWNJ', 'zero-width non-joiner'],
  0x200d: ['ZWJ', 'zero-width joiner'],
  0x200e: ['LRM', 'left-to-right mark'],
  0x200f: ['RLM', 'right-to-left mark'],
  0x2028: ['LS', 'line separator'],
  0x2029: ['PS', 'paragraph separator'],
  0x202a: ['LRE', 'left-to-right embedding'],
  0x202b: ['RLE', 'right-to-left embedding'],
  0x202c: ['PDF', 'pop directional formatting'],
  0x202d: ['LRO', 'left-to-right override'],
  0x202e: ['RLO', 'right-to-left override'],
  0x2060: ['WJ', 'word joiner'],
  0x2066: ['LRI', 'left-to-right isolate'],
  0x2067: ['RLI', 'right-to-left isolate'],
  0x2068: ['FSI', 'first strong isolate'],
  0x2069: ['PDI', 'pop directional isolate'],
  0xfeff: ['BOM', 'byte order mark'],
}

/** How an invisible character is shown: a short symbol, and its name. */
export function signOf(found: string): { readonly sign: string; readonly name: string } {
  const code = found.codePointAt(0) ?? 0
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const [sign, name] = names[code] ?? unnamed(code, hex, found)
  return { sign, name: `${name} (${hex})` }
}

function unnamed(code: number, hex: string, found: string): readonly [sign: string, name: string] {
  if (code < 0x20) return [String.fromCharCode(0x2400 + code), 'control character']
  if (code === 0x7f) return ['␡', 'control character']
  if (code < 0xa0) return [hex.slice(2), 'control character']
  if (code >= 0xd800 && code < 0xe000) return ['�', 'half of a surrogate pair']
  if (code >= 0xe0020 && code < 0xe007f) return [String.fromCharCode(code - 0xe0000), 'hidden tag character']
  if (/^\p{M}{1,}$/u.test(found) && !/^\p{Variation_Selector}/u.test(found))
    return ['◌', 'extra combining marks']
  if (/^\p{Variation_Selector}/u.test(found)) return ['VS', 'variation selector']
  return [hex, 'unassigned character']
}
