import type { Change, Context, Interactions, Manipulations } from 'dragoman/client/context'
import { counted, short } from '../ui/amounts.ts'
import type { Tone } from '../ui/badge.tsx'

/** A part that is not sent as it was said. */
export type ContextPart = Context['parts'][number]
/** One line of the audit. */
export type Manipulation = Manipulations['manipulations'][number]
/** One prompt, or other cause, and all that followed. */
export type Interaction = Interactions['interactions'][number]

type Said = readonly [words: string, tone: Tone]

/** How far a change reaches the model. */
export const reachWords: Readonly<Record<Context['effective'], Said>> = {
  applied: ['counts at every request', 'good'],
  'next-boundary': ['counts when next resumed', 'accent'],
  advisory: ['advice only', 'warn'],
}

/** Whether a piece of history still counts. */
export const validityWords: Readonly<Record<Interaction['validity'], Said>> = {
  active: ['active', 'good'],
  invalidated: ['invalidated', 'bad'],
  superseded: ['superseded', 'warn'],
  archived: ['archived', 'neutral'],
}

/** What a part became. */
export const partWords: Readonly<Record<ContextPart['as'], string>> = {
  reference: 'reference',
  placeholder: 'placeholder',
  annotated: 'annotated',
  omitted: 'left out',
}

const rules: ReadonlyMap<string, string> = new Map([
  ['duplicate', 'said before'],
  ['cold', 'old, when the cache had run out'],
  ['unused', 'not used for long'],
  ['pressure', 'the window was full'],
  ['thinking', 'earlier thinking'],
  ['deleted', 'deleted'],
])

/** Which rule left a part out; one that others brought goes by its name. */
export const ruleWords = (rule: string): string => rules.get(rule) ?? `rule “${rule}”`

/** How much less, in words. */
export function lessWords({ before, after }: { readonly before: number; readonly after: number }): string {
  if (before === 0 || after === before) return 'nothing left out'
  const percent = Math.round((100 * Math.abs(before - after)) / before)
  return `${after < before ? '−' : '+'}${percent === 0 ? '<1' : percent} %`
}

/** How much less was sent in all requests, in words. More is no saving. */
export function savedWords({
  requests,
  before,
  after,
}: Pick<Context['saved'], 'requests' | 'before' | 'after'>): string {
  const where = `in ${counted(requests, 'request')}`
  if (after < before)
    return `Saved so far: ${short(before - after)} of ${counted(before, 'token', short)} ${where}.`
  if (after === before) return `Saved so far: nothing, ${where}.`
  const more = after - before
  return `Saved so far: nothing; ${counted(more, 'token', short)} more ${more === 1 ? 'was' : 'were'} sent ${where}.`
}

/** Who did something. */
export const actorWords = ({ kind, name, owner }: Manipulation['actor']): string =>
  kind === 'tool'
    ? `the tool ${name}${owner === null ? '' : ` (${owner})`}`
    : kind === 'person'
      ? name
      : `${name} (${kind})`

/** What was done, in a few words. */
export function deedWords(manipulation: Manipulation): string {
  const { kind, to, parts, interactions, whole, manipulations } = manipulation
  if (kind === 'rolled-back') return `took back ${counted(manipulations.length, 'change')}`
  const what = whole ? counted(interactions.length, 'whole interaction') : counted(parts.length, 'part')
  const made = to === null ? `${what} sent otherwise` : `${what} became ${to}`
  return kind === 'rejected' ? `refused: ${made}` : made
}

/** What came of taking something back. */
export const rollbackWords = (manipulations: readonly string[]): string =>
  manipulations.length === 0
    ? 'Nothing of it held any more.'
    : `Took back ${counted(manipulations.length, 'change')}.`

/** What came of a merge. */
export const mergeWords = (interactions: readonly string[]): string =>
  interactions.length === 0
    ? 'All of it was here already.'
    : `${counted(interactions.length, 'interaction')} came over.`

/** What a person can do to an interaction, and the words for it. */
export interface Deed {
  readonly do: Change['do']
  readonly label: string
  /** What it means, for the question whether to do it. */
  readonly about: string
  readonly done: string
}

const deeds: Readonly<Record<Change['do'], Omit<Deed, 'do'>>> = {
  pin: { label: 'Pin', about: 'No rule will leave any of it out.', done: 'Pinned.' },
  unpin: { label: 'Unpin', about: 'Rules may leave parts of it out again.', done: 'No longer pinned.' },
  archive: {
    label: 'Archive',
    about:
      'The model is sent none of its words, and of its tool calls only that they were made. It stays in the session and can be taken back.',
    done: 'Archived.',
  },
  invalidate: {
    label: 'Mark as no longer true',
    about:
      'It does not hold any more: the model is sent none of its words, and of its tool calls only that they were made. It can be taken back.',
    done: 'Marked as no longer true.',
  },
  restore: { label: 'Restore', about: 'It counts again, and is sent whole.', done: 'Restored.' },
  delete: {
    label: 'Delete',
    about:
      'The model is no longer sent any of it, and it is marked as deleted. The journal keeps it; it can be taken back.',
    done: 'Deleted.',
  },
  undelete: { label: 'Undelete', about: 'It is no longer deleted.', done: 'No longer deleted.' },
}

/** What can be done to an interaction as it is now. */
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

/** Whether something can be taken back: it was done, and it holds. */
export const canTakeBack = ({ id, kind, holds }: Manipulation): boolean =>
  id !== null && kind !== 'rejected' && holds
