import { setImmediate } from 'node:timers/promises'

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** Elements whose content is not for reading, with what ends each. */
const unread: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script\s*>/gi],
  ['style', /<\/style\s*>/gi],
  ['noscript', /<\/noscript\s*>/gi],
  ['svg', /<\/svg\s*>/gi],
  ['template', /<\/template\s*>/gi],
])
/** What replaces a tag, if anything. */
const insteadOf: ReadonlyMap<string, string> = new Map([
  ['li', '\n- '],
  ...'p div section article header footer h1 h2 h3 h4 h5 h6 ul ol table tr br pre blockquote'
    .split(' ')
    .flatMap(name => [[name, '\n'] as const, [`/${name}`, '\n'] as const]),
])

/** How much of a page is read before other work runs: a millisecond of work or two. */
const sliceLength = 1 << 15

/**
 * The text of a page of HTML, without what is not for reading. Reads each character a fixed number of times, and lets
 * the server do other work after each slice of the page.
 */
export async function pageText(html: string, slice = sliceLength): Promise<string> {
  const pieces: string[] = []
  for (const piece of piecesOf(html, slice)) {
    pieces.push(piece)
    await nextTurn()
  }
  return pieces.join('').trimStart()
}

let lastTurn = Promise.resolve()

/** A turn of the event loop for one page: of all pages that are read at the same time, one slice is read per turn. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

/** The text of a short page, all at once. */
export const shortPageText = (html: string): string => [...piecesOf(html, sliceLength)].join('').trimStart()

/** The text in pieces. White space at the end of one is kept for the next, which may continue with more of it. */
function* piecesOf(html: string, slice: number): Generator<string> {
  let space = ''
  for (const raw of textPieces(html, slice)) {
    const text = tidy(space + raw)
    const piece = text.trimEnd()
    space = text.slice(piece.length)
    yield piece
  }
}

/**
 * At most one space and one empty line at a time. Correct text is not replaced: a page may be a million line breaks.
 */
const tidy = (text: string): string =>
  text
    .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replaceAll(/ \n ?|\n /g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')

/** The text between the tags, in pieces no longer than a slice, from no more of the page than a slice each. */
function* textPieces(html: string, slice: number): Generator<string> {
  const lastEnd = html.lastIndexOf('>')
  let [text, at, from] = ['', 0, 0]
  let link: string | null = null
  for (;;) {
    if (at - from >= slice) {
      yield* cut(text, slice)
      text = ''
      from = at
    }
    special.lastIndex = at
    const found = special.exec(html)
    if (found === null) return yield* cut(text + html.slice(at), slice)
    const start = found.index
    text += html.slice(at, start)
    at = special.lastIndex
    if (found[0] !== '<') text += characterOf(found[0])
    else if (html.startsWith('<!--', start)) {
      text += ' '
      at = after(html, '-->', start + 4)
    } else if (start > lastEnd) text += '<'
    else {
      at = html.indexOf('>', start) + 1
      const name = nameAt(html, start)
      if (name === '/a' && link !== null) text += ` (${link})`
      if (name === 'a' || name === '/a') link = name === 'a' ? hrefOf(html.slice(start, at)) : null
      text += insteadOf.get(name) ?? ''
      const close = unread.get(name)
      if (close === undefined) continue
      text += ' '
      at = endOf(html, close, at)
    }
  }
}

/** A text in pieces of a size; an empty one is a piece too. */
function* cut(text: string, size: number): Generator<string> {
  let at = 0
  do {
    yield text.slice(at, at + size)
    at += size
  } while (at < text.length)
}

/** The name of a tag in small letters, with the slash of a closing one; empty for other tags. */
function nameAt(html: string, start: number): string {
  tagName.lastIndex = start
  return tagName.exec(html)?.[1]?.toLowerCase() ?? ''
}

const tagName = /<(\/?[a-z][a-z\d]{0,15})\b/iy

/** The target of a link. A target longer than any address (a file inside the page) is ignored. */
function hrefOf(tag: string): string | null {
  const link = /\bhref="([^"#][^"]{0,8000})"/i.exec(tag)?.[1]
  return link === undefined ? null : link.replaceAll(special, characterOf)
}

/** The position after a closing tag; the end of the page when nothing closes. */
function endOf(html: string, close: RegExp, from: number): number {
  close.lastIndex = from
  return close.test(html) ? close.lastIndex : html.length
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

/** Everything that is not plain text: the beginning of a tag, or an entity. */
const special = /<|&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi

/** The character of an entity; anything else stays unchanged. */
function characterOf(whole: string): string {
  const name = whole.slice(1, -1).toLowerCase()
  if (!name.startsWith('#')) return entities[name] ?? whole
  const code = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}
