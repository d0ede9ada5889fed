import type { ListedSession } from 'dragoman/client'
import { hitKinds, type Hit } from '../search/search-texts.ts'
import { inertString } from '../safety/inert-text.ts'
import { folderName } from '../session-summary/folders.ts'
import { nameOf } from '../session-summary/session-face.ts'
import { isPossible, type Command } from '../keyboard/command.ts'
import { fit } from './fuzzy.ts'

/** Something that can be chosen in the palette. */
export interface PaletteItem {
  readonly id: string
  readonly title: string
  readonly group: string
  /** Shown next to the title; also searched. */
  readonly hint?: string
  readonly keys?: Command['keys']
  /** For a place that the server found: which letters of the title matched. */
  readonly places?: readonly number[]
  readonly run: () => void
}

/** A result, and which letters of its title matched. */
export interface FoundItem extends PaletteItem {
  readonly places: readonly number[]
}

/** Items under a heading. */
export interface PaletteGroup {
  readonly name: string
  readonly items: readonly FoundItem[]
}

/** The commands that can be done now. */
export const commandItems = (commands: readonly Command[]): readonly PaletteItem[] =>
  commands.filter(each => each.inPalette !== false && isPossible(each))

const sessionsGroup = 'Open a session'

/** Sessions by their titles. */
export const sessionItems = (
  sessions: readonly ListedSession[],
  titleOf: (agent: string) => string,
  open: (session: string) => void,
): readonly PaletteItem[] =>
  sessions.map(session => ({
    id: `session:${session.id}`,
    title: inertString(nameOf(session)),
    group: sessionsGroup,
    hint: inertString(`${titleOf(session.agent)} · ${folderName(session.cwd)}`),
    run: () => open(session.id),
  }))

const hitsGroup = 'In conversations'
const mostHits = 8
/** The match must be in the part of a line that is seen. */
const mostBefore = 12
const longestName = 20

/** Places in conversations that the server found; `nameOfSession` is null for a session that is not loaded. */
export const hitItems = (
  hits: readonly Hit[],
  nameOfSession: (session: string) => string | null,
  open: (hit: Hit) => void,
): readonly PaletteItem[] =>
  hits.slice(0, mostHits).map(hit => {
    const { session, seq, part, kind } = hit
    const name = nameOfSession(session)
    return {
      id: `hit:${session} ${seq} ${part} ${kind}`,
      ...markedTitle(hit),
      group: hitsGroup,
      hint: name === null ? hitKinds[kind] : inertString(`${hitKinds[kind]} · ${shortened(name)}`),
      run: () => open(hit),
    }
  })

const shortened = (name: string) =>
  name.length > longestName ? `${name.slice(0, longestName).trimEnd()}…` : name

function markedTitle({ snippet, ranges }: Hit): Required<Pick<PaletteItem, 'title' | 'places'>> {
  const first = ranges[0]?.[0] ?? 0
  let end = first > mostBefore ? first - mostBefore : 0
  let title = end > 0 ? '…' : ''
  const places: number[] = []
  for (const [from, to] of ranges) {
    title += inertString(snippet.slice(end, from))
    const marked = inertString(snippet.slice(from, to))
    for (let at = 0; at < marked.length; at += 1) places.push(title.length + at)
    title += marked
    end = to
  }
  return { title: title + inertString(snippet.slice(end)), places }
}

const mostFound = 40
const mostShownUnasked = 6
const recentBonus = 10

/** The palette's content: without input, recent items and then all; otherwise the matches, best first. */
export function findItems(
  typed: string,
  items: readonly PaletteItem[],
  recent: readonly string[],
): readonly PaletteGroup[] {
  const hits = items.filter(({ places }) => places !== undefined)
  const rest = items.filter(({ places }) => places === undefined)
  if (typed.trim() === '') return unasked(rest, recent)
  const groups = found(typed, rest, recent)
  return hits.length === 0
    ? groups
    : [...groups, { name: hitsGroup, items: hits.map(item => ({ ...item, places: item.places ?? [] })) }]
}

function unasked(items: readonly PaletteItem[], recent: readonly string[]): readonly PaletteGroup[] {
  const used = recent.flatMap(id => items.filter(each => each.id === id)).slice(0, mostShownUnasked)
  const rest = Map.groupBy(
    items.filter(each => !used.includes(each)),
    ({ group }) => group,
  )
  const groups = [...rest].map(([name, all]) => ({
    name,
    items: (name === sessionsGroup ? all.slice(0, mostShownUnasked) : all).map(unmarked),
  }))
  return used.length === 0 ? groups : [{ name: 'Recent', items: used.map(unmarked) }, ...groups]
}

const unmarked = (item: PaletteItem): FoundItem => ({ ...item, places: [] })

function found(
  typed: string,
  items: readonly PaletteItem[],
  recent: readonly string[],
): readonly PaletteGroup[] {
  const fitting = items.flatMap(item => {
    const { title, group, hint = '' } = item
    const match = fit(typed, title)
    const besides = match ?? fit(typed, `${title} ${group} ${hint}`)
    if (besides === null) return []
    const bonus = (match === null ? -exactTitle : 0) + (recent.includes(item.id) ? recentBonus : 0)
    return [{ score: besides.score + bonus, item: { ...item, places: match?.places ?? [] } }]
  })
  const best = fitting.toSorted((a, b) => b.score - a.score).slice(0, mostFound)
  return best.length === 0 ? [] : [{ name: 'Results', items: best.map(({ item }) => item) }]
}

/** Matches outside the title rank below matches in it. */
const exactTitle = 15
