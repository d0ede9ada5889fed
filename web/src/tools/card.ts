import type { Json, ToolPart } from 'dragoman'
import { tellPart, type CallPlace, type ToldPart, type ToolFamily } from 'dragoman/client/work-log'

/** The state of a call, for the mark next to its line. */
export type Standing =
  | 'writing'
  | 'asking'
  | 'running'
  | 'done'
  | 'partial'
  | 'failed'
  | 'denied'
  | 'unfinished'

/** The content of a tool card's line. */
export interface Card {
  readonly family: ToolFamily
  /** What happened, in a sentence, without the parts shown next to it. */
  readonly sentence: string
  /** The folders before the name of the file that it is about. */
  readonly folder: string | null
  readonly standing: Standing
  readonly exit: number | null
  readonly lines: { readonly added: number; readonly removed: number } | null
}

/**
 * The line of a tool card. `live`: whether its agent may still run it; `task`: the name of a task that the call
 * only refers to by number.
 */
export function cardOf(part: ToolPart, place: CallPlace, live: boolean, task?: string): Card {
  const description = tellPart(task === undefined ? part : withSubject(part, task), place)
  const exit = description.result?.exit ?? null
  const lines = linesOf(description)
  return {
    family: description.family,
    sentence: bare(description),
    folder: /^.*\/(?=[^/])/.exec(description.subject.files[0]?.path ?? '')?.[0] ?? null,
    standing: standingOf(part, description, live),
    exit,
    lines,
  }
}

const withSubject = (part: ToolPart, subject: string) =>
  ({ ...part, input: { ...(part.input as Readonly<Record<string, Json>>), subject } }) as ToolPart

/** The sentence without the parts that the card shows next to it or below. */
function bare({ sentence, result }: ToldPart): string {
  const why = result?.error === undefined ? '' : `: ${result.error}`
  const short = why !== '' && sentence.endsWith(why) ? sentence.slice(0, -why.length) : sentence
  return short
    .replace(/ → exit -?\d+(?=, cut short$|$)/, '')
    .replace(/ \((?:\+\d+)?(?: ?−\d+)?\)(?=, cut short$|$)/, '')
}

function standingOf({ state }: ToolPart, { outcome, approval, result }: ToldPart, live: boolean): Standing {
  if (approval === 'denied' || result?.denied) return 'denied'
  if (outcome === 'failure') return 'failed'
  if (outcome === 'partial') return 'partial'
  if (outcome === 'success') return 'done'
  if (approval === 'asked') return 'asking'
  if (!live) return 'unfinished'
  return state === 'input-streaming' ? 'writing' : 'running'
}

function linesOf({ family, subject, result, outcome }: ToldPart): Card['lines'] {
  if ((family !== 'edit' && family !== 'write') || outcome === 'failure') return null
  if (result?.patch !== undefined) return result.patch
  const known = subject.files.filter(({ added }) => added !== undefined)
  if (known.length === 0) return null
  return {
    added: known.reduce((sum, file) => sum + (file.added ?? 0), 0),
    removed: known.reduce((sum, file) => sum + (file.removed ?? 0), 0),
  }
}

/** Labels for the states. */
export const standingWords: Readonly<Record<Standing, string>> = {
  writing: 'Preparing',
  asking: 'Waiting for approval',
  running: 'Running',
  done: 'Done',
  partial: 'Partly done',
  failed: 'Failed',
  denied: 'Denied',
  unfinished: 'No result',
}
