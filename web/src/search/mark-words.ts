import { useEffect } from 'react'
import { rangesIn, type FoundPlace } from './find-loaded.ts'

/** More would not be looked at. */
const mostWords = 200
const mostRanges = 2000

/** Old browsers only show the row. */
const canMark = typeof Highlight !== 'undefined'

/** The different texts that were found, in lower case. */
export function wordsFound(places: readonly FoundPlace[]): readonly string[] {
  const words = new Set<string>()
  for (const { snippet, ranges } of places)
    for (const [from, to] of ranges) {
      const word = snippet.slice(from, to).toLowerCase()
      if (!isTiny(word) && words.size < mostWords) words.add(word)
    }
  return [...words]
}

/** Single letters are in every word. */
const isTiny = (word: string) => /^[\x20-\x7f]?$/.test(word.trim())

/** The ranges of words in the text of an element; a word may go over several elements. */
export function rangesOf(element: Element, words: readonly string[]): readonly Range[] {
  const nodes: { readonly node: Text; readonly from: number }[] = []
  let text = ''
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node: node as Text, from: text.length })
    text += (node as Text).data
  }
  // A place at the end of a text and one at the start of the next are the same.
  const at = (place: number, isEnd: boolean) =>
    nodes.findLast(({ from }) => (isEnd ? from < place : from <= place))
  return rangesIn(text.replaceAll(/\s/g, ' '), words).flatMap(([from, to]) => {
    const [start, end] = [at(from, false), at(to, true)]
    if (start === undefined || end === undefined) return []
    const range = document.createRange()
    range.setStart(start.node, from - start.from)
    range.setEnd(end.node, to - end.from)
    return [range]
  })
}

/** Scrolls the boxes inside a list that have a range, and leaves the list as it is. */
function showInside(range: Range, list: Element): void {
  let box = range.startContainer.parentElement
  for (; box !== null && box !== list; box = box.parentElement) {
    const { top, height } = box.getBoundingClientRect()
    const below = range.getBoundingClientRect().top - top
    if (box.scrollHeight > box.clientHeight + 1 && below > height - lineHeight)
      box.scrollTop += below - height / 2
  }
}

const lineHeight = 24

/** How far below the top of its row the first current mark is; null where none is drawn. */
export function markBelow(list: Element, key: string): number | null {
  const marks = canMark ? CSS.highlights.get('found-now') : undefined
  const [first] = (marks ?? []) as Iterable<Range>
  const row = first?.startContainer.parentElement?.closest<HTMLElement>('[data-row]')
  if (first === undefined || !row || row.dataset['row'] !== key || !list.contains(row)) return null
  return first.getBoundingClientRect().top - row.getBoundingClientRect().top
}

/** Marks words in the drawn rows of a list, without changing them; those in the current row stand out. */
export function useMarkedWords(
  list: () => Element | null,
  words: readonly string[],
  current: string | null,
): void {
  useEffect(() => {
    const element = list()
    if (element === null || words.length === 0 || !canMark) return
    let frame = 0
    let isShown = false
    const mark = () => {
      frame = 0
      const found = new Highlight()
      const now = new Highlight()
      now.priority = 1
      for (const row of element.querySelectorAll<HTMLElement>('[data-row]')) {
        const marks = row.dataset['row'] === current ? now : found
        for (const range of rangesOf(row, words)) if (marks.size < mostRanges) marks.add(range)
      }
      CSS.highlights.set('found', found)
      CSS.highlights.set('found-now', now)
      const [first] = now as Iterable<Range>
      if (!isShown && first !== undefined) showInside(first, element)
      isShown ||= first !== undefined
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(mark)
    }
    const changes = new MutationObserver(soon)
    changes.observe(element, { childList: true, characterData: true, subtree: true })
    mark()
    return () => {
      changes.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete('found')
      CSS.highlights.delete('found-now')
    }
  }, [list, words, current])
}
