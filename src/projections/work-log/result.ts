import { asObject, asList, type Json } from '../../protocol/json.ts'
import { diffsIn } from '../../protocol/tool-call/edits.ts'
import { numberIn, textIn, type Fields } from '../../protocol/tool-call/fields.ts'
import type { CallEnd } from '../call-end.ts'
import type { ToolCallResult } from '../tool-calls.ts'
import { planIn } from './plan-in.ts'
import { short } from './short.ts'
import { textOfOutput } from './text-of-output.ts'
import type { WorkResult } from './work-facts.ts'

/** The result of a call; null while it has none. A person's answer is not part of it. */
export function resultOf({ outcome, output, errorText }: ToolCallResult): WorkResult | null {
  if (outcome === 'pending') return null
  if (errorText !== undefined) return resultOfError(errorText)
  if (outcome === 'denied' && output === undefined) return { outcome: 'failure', denied: true }
  return resultOfOutput(output)
}

/** The result of a call, from the chunk that ends it. */
export function resultOfEnd(chunk: CallEnd): WorkResult {
  if (chunk.type === 'tool-output-denied') return { outcome: 'failure', denied: true }
  if (chunk.type === 'tool-output-available') return resultOfOutput(chunk.output)
  return resultOfError(chunk.errorText)
}

/** How a failure begins that an agent reports as a result. */
const failing =
  /^(?:apply_patch verification failed|unsupported call:|The arguments provided to the tool are invalid)/
const stopped = /User aborted the command|^Command cancelled by user|^\[?Request interrupted/
const unfinished = /^(?:Interrupted before there was a result|Tool execution aborted)/

function resultOfError(errorText: string): WorkResult {
  const exit = exitIn(errorText)
  const error = short(
    errorText
      .replaceAll(/<\/?tool_use_error>/g, '')
      .replace(/^\s*Exit code:? -?\d+\.?\n?/i, '')
      .trim(),
    160,
  )
  return {
    outcome: 'failure',
    ...(exit !== undefined && { exit }),
    ...(error !== '' && { error }),
    ...((unfinished.test(errorText) || stopped.test(errorText)) && { interrupted: true }),
  }
}

function resultOfOutput(output: Json | undefined): WorkResult {
  const text = textOfOutput(output)
  if (failing.test(text)) return resultOfError(text)
  const all = layersOf(output)
  const exit = firstOf(all, fields => numberIn(fields, 'exitCode', 'exit_code', 'exit')) ?? exitIn(text)
  const isStopped = all.some(wasStopped) || stopped.test(text)
  const isCut = all.some(fields => fields['truncated'] === true) || cut.test(text.slice(-80))
  return {
    outcome: isStopped || isCut ? 'partial' : exit !== undefined && exit !== 0 ? 'failure' : 'success',
    ...(exit !== undefined && { exit }),
    ...linesIn(all, text),
    ...patchIn(all),
    ...hitsIn(all, text),
    ...answerIn(all),
    ...planShown(all),
    ...(isStopped && { interrupted: true }),
    ...(all.some(isInBackground) && { background: true }),
  }
}

/** An output, and what agents wrap into it: the same in fields, their own words, facts about it. */
function layersOf(output: Json | undefined): readonly Fields[] {
  const whole = asObject(output)
  const raw = asObject(whole['rawOutput'])
  return [
    whole,
    asObject(whole['structured']),
    asObject(whole['toolResponse']),
    asObject(whole['metadata']),
    raw,
    asObject(raw['metadata']),
  ]
}

function firstOf<Value>(all: readonly Fields[], look: (fields: Fields) => Value | undefined) {
  for (const fields of all) {
    const found = look(fields)
    if (found !== undefined) return found
  }
  return undefined
}

/** The exit code that a text begins or ends with. */
function exitIn(text: string): number | undefined {
  const match =
    /^\s*Exit code:? (-?\d{1,10})\b/i.exec(text) ??
    /(?:^|\n)Exit Code: (-?\d{1,10})\b/.exec(text) ??
    /(?:^|\n)Exit code (-?\d{1,10})\.\s*$/.exec(text.slice(-40))
  return match?.[1] === undefined ? undefined : Number(match[1])
}

const wasStopped = (fields: Fields) =>
  fields['interrupted'] === true || textIn(fields, 'timedOut', 'endedBy') !== undefined

/** How our own tools end what they do not show whole. */
const cut = /\n\[There (?:is|are) more: [^\n]*\]$/
const linesSaid = /\n\[Lines (\d{1,9}) to (\d{1,9}) of (\d{1,9})\.\]$/

function linesIn(all: readonly Fields[], text: string): Pick<WorkResult, 'lines'> {
  const [, first, last, of] = linesSaid.exec(text.slice(-80)) ?? []
  if (of !== undefined) return { lines: { from: Number(first), to: Number(last), total: Number(of) } }

  const lines = firstOf(all, fields => {
    const file = asObject(fields['file'])
    const from = numberIn(file, 'startLine')
    const count = numberIn(file, 'numLines')
    if (from !== undefined && count !== undefined)
      return { from, to: from + count - 1, total: numberIn(file, 'totalLines') ?? null }
    const display = asObject(fields['display'])
    const [start, end] = [numberIn(display, 'lineStart'), numberIn(display, 'lineEnd')]
    if (start === undefined || end === undefined) return undefined
    return { from: start, to: end, total: numberIn(display, 'totalLines', 'total') ?? null }
  })
  return lines === undefined ? {} : { lines }
}

function patchIn(all: readonly Fields[]): Pick<WorkResult, 'patch' | 'created'> {
  const patch = firstOf(all, patchOf)
  const created = firstOf(all, createdOf)
  return { ...(patch !== undefined && { patch }), ...(created !== undefined && { created }) }
}

function patchOf(fields: Fields): WorkResult['patch'] | undefined {
  const hunks = asList(fields['structuredPatch']).flatMap(hunk => asList(asObject(hunk)['lines']))
  if (hunks.length > 0) return { added: withSign(hunks, '+'), removed: withSign(hunks, '-') }
  const diff = asObject(fields['filediff'])
  const [added, removed] = [numberIn(diff, 'additions'), numberIn(diff, 'deletions')]
  if (added !== undefined && removed !== undefined) return { added, removed }
  const shown = diffsIn(fields['content']).map(({ lines }) => lines ?? { added: 0, removed: 0 })
  if (shown.length === 0) return undefined
  return {
    added: shown.reduce((sum, each) => sum + each.added, 0),
    removed: shown.reduce((sum, each) => sum + each.removed, 0),
  }
}

const withSign = (lines: readonly Json[], sign: string) =>
  lines.filter(line => typeof line === 'string' && line.startsWith(sign)).length

function createdOf(fields: Fields): boolean | undefined {
  if (fields['type'] === 'create' || fields['type'] === 'update') return fields['type'] === 'create'
  if (typeof fields['exists'] === 'boolean') return !fields['exists']
  if (typeof fields['created'] === 'boolean') return fields['created']
  const kinds = diffsIn(fields['content']).map(({ kind }) => kind)
  return kinds.length === 0 ? undefined : kinds.every(kind => kind === 'add')
}

function hitsIn(all: readonly Fields[], text: string): Pick<WorkResult, 'hits'> {
  const reported = firstOf(all, hitsReported)
  const hits = reported ?? hitsInText(text)
  return hits === undefined ? {} : { hits }
}

/** Claude Code counts what it was asked for: lines, matches or files; the other numbers are then 0. */
function hitsReported(fields: Fields): number | undefined {
  if (fields['mode'] === 'content') return numberIn(fields, 'numLines')
  return numberIn(fields, 'numMatches', 'matches', 'numFiles', 'count', 'hits')
}

/** Searches say how much they found in their first line, or give a line for each. */
function hitsInText(text: string): number | undefined {
  const count = /^(?:Found (?:total )?)?(\d{1,9}) (?:match|file|result|item|entr|hit|line)/i.exec(text)?.[1]
  if (count !== undefined) return Number(count)
  if (
    /^(?:No (?:matches|files|results|entries|line fits)|Nothing in .* (?:fits|matches)|\S+ is empty\.$)/i.test(
      text,
    )
  )
    return 0
  return text === ''
    ? undefined
    : text
        .replace(cut, '')
        .split('\n')
        .filter(line => line.trim() !== '').length
}

function answerIn(all: readonly Fields[]): Pick<WorkResult, 'answer'> {
  const answers = firstOf(all, fields => fields['answers'] ?? fields['answer'] ?? undefined)
  const words = answers === undefined ? '' : short(wordsOf(answers).join(', '), 80)
  return words === '' ? {} : { answer: words }
}

function wordsOf(value: Json, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (value === null || depth > 4) return []
  return Object.values(value).flatMap(each => wordsOf(each, depth + 1))
}

function planShown(all: readonly Fields[]): Pick<WorkResult, 'plan'> {
  const plan = firstOf(all, fields => planIn(fields as Json) ?? undefined)
  return plan === undefined ? {} : { plan }
}

const isInBackground = (fields: Fields) =>
  textIn(fields, 'backgroundTaskId') !== undefined || fields['status'] === 'async_launched'
