import type { Shown } from '../policy.ts'
import type { Use } from './uses.ts'

/** What answers used of the history, and how much of it could not be read any more. */
export interface Losses {
  edits: number
  /** The replaced text was in the history and is in nothing that was shown. */
  editsLost: number
  /** All of it could be read, but only by following a reference: no part has it in one piece. */
  editsSplit: number
  identifiers: number
  identifiersLost: number
}

export const noLosses = (): Losses => ({
  edits: 0,
  editsLost: 0,
  editsSplit: 0,
  identifiers: 0,
  identifiersLost: 0,
})

/** Adds what one request lost. */
export function addLosses(losses: Losses, uses: readonly Use[], shown: readonly Shown[]): void {
  if (uses.length === 0) return
  const places = new Map(shown.map(one => [one.block, one]))
  for (const { kind, words, sources } of uses) {
    const found = sources.flatMap(block => places.get(block) ?? []).filter(one => isReadable(one, words))
    if (kind === 'identifier') {
      losses.identifiers++
      if (found.length === 0) losses.identifiersLost++
      continue
    }
    losses.edits++
    if (found.length === 0) losses.editsLost++
    else if (!found.some(one => stands(one, words))) losses.editsSplit++
  }
}

const isReadable = ({ words }: Shown, wanted: string) => words === null || words.includes(wanted)
const stands = ({ standing }: Shown, wanted: string) => standing === null || standing.includes(wanted)
