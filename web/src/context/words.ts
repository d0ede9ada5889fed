import type { Change, Context, Interactions, Manipulations } from 'dragoman/client/context'
import { counted, short } from '../ui/amounts.ts'
import type { Tone } from '../ui/badge.tsx'

/** A part that is not sent in its original form. */
export type ContextPart = Context['parts'][number]
/** One line of the audit. */
export type Manipulation = Manipulations['manipulations'][number]
/** One prompt, or other trigger, and everything that followed. */
export type Interaction = Interactions['interactions'][number]

type Said = readonly [words: string, tone: Tone]

/** How far a change reaches the model. */
export const reachWords: Readonly<Record<Context['effective'], Said>> = {
  applied: ['Applies to every request', 'good'],
  'next-boundary': ['Applies on next resume', 'accent'],
  advisory: ['Advice only', 'warn'],
}

/** Whether a piece of history still counts. */
export const validityWords: Readonly<Record<Interaction['validity'], Said>> = {
  active: ['Active', 'good'],
  invalidated: ['Outdated', 'bad'],
  superseded: ['Replaced', 'warn'],
  archived: ['Archived', 'neutral'],
}

/** What a part became. */
export const partWords: Readonly<Record<ContextPart['as'], string>> = {
  reference: 'Reference',
  placeholder: 'Placeholder',
  annotated: 'Annotated',
  omitted: 'Omitted',
}

const rules: ReadonlyMap<string, string> = new Map([
  ['duplicate', 'Duplicate'],
  ['cold', 'Old result, cache expired'],
  ['unused', 'Not used recently'],
  ['pressure', 'Context window full'],
  ['thinking', 'Earlier thinking'],
  ['deleted', 'Deleted'],
])

/** The rule that trimmed a part; rules of plugins are shown by name. */
export const ruleWords = (rule: string): string => rules.get(rule) ?? `Rule “${rule}”`

/** The reduction in percent, as text. */
export function lessWords({ before, after }: { readonly before: number; readonly after: number }): string {
  if (before === 0 || after === before) return 'nothing trimmed'
  const percent = Math.round((100 * Math.abs(before - after)) / before)
  return `${after < before ? '−' : '+'}${percent === 0 ? '<1' : percent} %`
}

/** The tokens saved over all requests, as text; an increase is not called a saving. */
export function savedWords({
  requests,
  before,
  after,
}: Pick<Context['saved'], 'requests' | 'before' | 'after'>): string {
  const where = `in ${counted(requests, 'request')}`
  if (after < before)
    return `Saved so far: ${short(before - after)} of ${counted(before, 'token', short)} ${where}.`
  if (after === before) return `No tokens saved so far ${where}.`
  const more = after - before
  return `No tokens saved so far: ${counted(more, 'token', short)} more ${more === 1 ? 'was' : 'were'} sent ${where}.`
}

/** The author of a change. */
export const actorWords = ({ kind, name, owner }: Manipulation['actor']): string =>
  kind === 'tool'
    ? `the tool ${name}${owner === null ? '' : ` (${owner})`}`
    : kind === 'person'
      ? name
      : `${name} (${kind})`

const nameOfValidity = (to: string): string => {
  const words = Object.entries(validityWords).find(([name]) => name === to)?.[1][0]
  return words?.toLowerCase() ?? to
}

/** A context change in a few words. */
export function deedWords(manipulation: Manipulation): string {
  const { kind, to, parts, interactions, whole, manipulations } = manipulation
  if (kind === 'rolled-back') return `Undid ${counted(manipulations.length, 'change')}`
  const what = whole ? counted(interactions.length, 'turn') : counted(parts.length, 'part')
  const made = to === null ? `${what} changed` : `${what} marked as ${nameOfValidity(to)}`
  return kind === 'rejected' ? `Refused: ${made}` : made
}

/** The result of an undo. */
export const rollbackWords = (manipulations: readonly string[]): string =>
  manipulations.length === 0 ? 'Already undone.' : `Undid ${counted(manipulations.length, 'change')}.`

/** The result of a merge. */
export const mergeWords = (interactions: readonly string[]): string =>
  interactions.length === 0
    ? 'Nothing to merge: everything is already here.'
    : `Merged ${counted(interactions.length, 'turn')}.`

/** A change the user can make to a turn, with its labels. */
export interface Deed {
  readonly do: Change['do']
  readonly label: string
  /** Its effect, for the confirmation dialog. */
  readonly about: string
  readonly done: string
}

const deeds: Readonly<Record<Change['do'], Omit<Deed, 'do'>>> = {
  pin: { label: 'Pin', about: 'Rules won’t trim any of it.', done: 'Pinned.' },
  unpin: { label: 'Unpin', about: 'Rules may trim parts of it again.', done: 'Unpinned.' },
  archive: {
    label: 'Archive',
    about:
      'The model no longer gets its text, only the names of its tool calls. It stays in the session. You can undo this.',
    done: 'Archived.',
  },
  invalidate: {
    label: 'Mark as outdated',
    about: 'The model no longer gets its text, only the names of its tool calls. You can undo this.',
    done: 'Marked as outdated.',
  },
  restore: { label: 'Restore', about: 'The model gets all of it again.', done: 'Restored.' },
  delete: {
    label: 'Delete',
    about:
      'The model no longer gets any of it, and it is marked as deleted. The journal keeps it. You can undo this.',
    done: 'Deleted.',
  },
  undelete: { label: 'Undelete', about: 'The model gets it again.', done: 'Undeleted.' },
}

/** The changes available for an interaction in its current state. */
export function deedsFor({ validity, deleted, pinned }: Interaction): readonly Deed[] {
  const names: readonly Change['do'][] = deleted
    ? ['undelete']
    : [
        pinned ? 'unpin' : 'pin',
        ...(validity === 'active' ? (['archive', 'invalidate'] as const) : (['restore'] as const)),
        'delete',
      ]
  return names.map(name => ({ do: name, ...deeds[name] }))
}

/** Whether a change can be undone: it was applied and is still in effect. */
export const canTakeBack = ({ id, kind, holds }: Manipulation): boolean =>
  id !== null && kind !== 'rejected' && holds
