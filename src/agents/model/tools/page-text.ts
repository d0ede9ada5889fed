const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** The words of a page of HTML, without what is not for reading. */
export function pageText(html: string): string {
  const body = html
    .replaceAll(/<!--[\s\S]*?(-->|$)/g, ' ')
    .replaceAll(/<(script|style|noscript|svg|template)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<a\b[^>]*?\bhref="([^"#][^"]*)"[^>]*>([\s\S]*?)<\/a\s*>/gi, '$2 ($1)')
    .replaceAll(/<li\b[^>]*>/gi, '\n- ')
    .replaceAll(
      /<\/?(p|div|section|article|header|footer|h[1-6]|ul|ol|table|tr|br|pre|blockquote)\b[^>]*>/gi,
      '\n',
    )
    .replaceAll(/<[^>]*>/g, '')
  return decoded(body)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function decoded(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
