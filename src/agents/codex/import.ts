import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundTranscript, Importer, ReadOptions, Transcript, TranscriptLine } from '../importer.ts'
import { asObject, objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { mergeByTime } from '../kit/merge-by-time.ts'
import { parseJson } from '../kit/parse-json.ts'
import { timeIn } from '../kit/time-in.ts'
import { filesBelow, firstIn, type FileLine } from '../kit/transcript-files.ts'
import { readAdded, readLines, wholeGrowth, type FileEnds } from '../kit/transcript-growth.ts'
import { lineOf, promptIn, type PromptKinds } from './prompt-in.ts'
import { isDenied } from './rollout-failure.ts'
import { initialTranscript, translateTranscript, type TranscriptState } from './transcript.ts'

/** Codex's rollouts: one file per session, and one per subagent. */
export const importer: Importer<TranscriptState> = {
  places(env) {
    const home = env['CODEX_HOME'] ?? join(env['HOME'] ?? '/', '.codex')
    return [join(home, 'sessions'), join(home, 'archived_sessions')]
  },
  find,
  // A subagent's rollout belongs to the conversation that started it, which may be in the folder of another day.
  scope: (file, place) => (isRollout(file) ? place : null),
  initial: initialTranscript,
  translate: translateTranscript,
}

const isRollout = (file: string) => /\.jsonl(\.gz|\.zst)?$/.test(file)

async function* find(path: string): AsyncGenerator<FoundTranscript> {
  const rollouts: Rollout[] = []
  for await (const file of filesBelow(path)) {
    if (!isRollout(file)) continue
    const facts = await stat(file)
    const names = await namesOf(file, facts)
    if (names !== null) rollouts.push({ file, ...names, size: facts.size, changedAt: facts.mtime.getTime() })
  }
  const ids = new Set(rollouts.map(({ id }) => id))
  // A subagent is part of the conversation that started it, unless that conversation is missing.
  for (const rollout of rollouts.filter(({ parent }) => parent === null || !ids.has(parent))) {
    const { file, id: agentSession } = rollout
    const descendants = descendantsOf(rollout, rollouts)
    const family = [rollout, ...descendants]
    const changedAt = Math.max(...family.map(each => each.changedAt))
    const bytes = family.reduce((sum, each) => sum + each.size, 0)
    yield { file, agentSession, changedAt, bytes, read: options => read(rollout, descendants, options) }
  }
}

/** The first lines of rollouts, which never change, by file: a search for one that has grown need not read all the others. */
const heads = new Map<
  string,
  { readonly inode: number; readonly size: number; readonly names: Names | null }
>()
const mostHeads = 50_000

async function namesOf(file: string, { ino: inode, size }: Stats): Promise<Names | null> {
  const known = heads.get(file)
  if (known !== undefined && known.inode === inode && known.size <= size) return known.names
  const first = await firstIn(file)
  const names = first === undefined || !isMeta(first) ? null : namesIn(lineOf(first).payload)
  if (heads.size >= mostHeads) heads.clear()
  // The first line may not be complete yet.
  if (first !== undefined) heads.set(file, { inode, size, names })
  return names
}

/** A session, and the session that started it as a subagent. */
interface Names {
  readonly id: string
  readonly parent: string | null
}

/** The file of a session. */
interface Rollout extends Names {
  readonly file: string
  readonly size: number
  readonly changedAt: number
}

function namesIn(meta: Fields): Names {
  const spawn = objectOf(objectOf(objectOf(meta, 'source'), 'subagent'), 'thread_spawn')
  const parent = textOrNull(meta, 'parent_thread_id') ?? textOrNull(spawn, 'parent_thread_id')
  return { id: textOf(meta, 'id'), parent }
}

function descendantsOf({ id }: Rollout, rollouts: readonly Rollout[]): readonly Rollout[] {
  const children = rollouts.filter(({ parent }) => parent === id)
  return children.flatMap(child => [child, ...descendantsOf(child, rollouts)])
}

/** A rollout begins with the facts about its session. */
function isMeta(line: Fields): boolean {
  if (line['type'] === 'session_meta') return typeof objectOf(line, 'payload')['id'] === 'string'
  return typeof line['id'] === 'string' && 'instructions' in line && 'timestamp' in line
}

/** What the lines of a rollout mean depends on these facts about the lines before. */
interface Facts {
  readonly kinds: PromptKinds
  /** The calls that started subagents, by the subagents' sessions. */
  readonly calls: ReadonlyMap<string, Spawn>
}

async function read(
  { file, id: agentSession }: Rollout,
  descendants: readonly Rollout[],
  options: ReadOptions,
): Promise<Transcript> {
  const ids = new Map(descendants.map(each => [each.file, each.id]))
  const linesIn = (lines: readonly FileLine[], where: string, before: number, { kinds, calls }: Facts) => {
    const id = ids.get(where)
    if (id !== undefined) return linesOf(id, lines, calls.get(id))
    return lines.map(({ raw, fields }, index): TranscriptLine => {
      const name = `${agentSession}.p${before + index + 1}`
      const prompt = fields === null ? null : promptIn(fields, name, kinds)
      return { ...plainLine({ raw, fields }), from: prompt === null ? 'agent' : 'host', prompt }
    })
  }
  const files = [file, ...ids.keys()]
  const added = await readAdded<Facts>(files, options, (lines, where) => {
    const isOther = where.file === file && !hasOnly(lines, where.facts.kinds)
    return isOther ? null : linesIn(lines, where.file, where.before, where.facts)
  })
  if (added !== null) return { agentSession, cwd: null, title: null, ...added }
  const ends: FileEnds = new Map()
  const whole: [string, readonly FileLine[]][] = []
  for (const each of files) whole.push([each, await readLines(each, ends, options)])
  const main = whole[0]?.[1] ?? []
  const facts = { kinds: kindsIn(main), calls: spawnsIn(whole.flatMap(([, lines]) => lines)) }
  const sources = new Map(whole.map(([each, lines]) => [each, linesIn(lines, each, 0, facts)]))
  const cwd = textOrNull(lineOf(main[0]?.fields ?? {}).payload, 'cwd')
  const lines = mergeByTime([...sources.values()])
  return { agentSession, cwd, title: null, lines, ...wholeGrowth(ends, sources, facts) }
}

function plainLine({ raw, fields }: FileLine): TranscriptLine {
  const payload = fields === null ? {} : lineOf(fields).payload
  const isDenial = textOf(payload, 'type').endsWith('_output') && isDenied(payload['output'] ?? null)
  return {
    from: 'agent',
    raw,
    at: timeIn(fields?.['timestamp']),
    prompt: null,
    ...(isDenial && { denial: { call: textOf(payload, 'call_id'), reason: null } }),
  }
}

/** A call that started a subagent, and when. */
interface Spawn {
  readonly call: string
  readonly at: number
}

/** The calls that started subagents, by the subagents' sessions, which the results of these calls name. */
function spawnsIn(lines: readonly FileLine[]): ReadonlyMap<string, Spawn> {
  return new Map(
    lines.flatMap(({ fields }) => {
      const { payload } = lineOf(fields ?? {})
      if (textOf(payload, 'type') !== 'function_call_output') return []
      const child = textOf(asObject(parseJson(textOf(payload, 'output')) ?? null), 'agent_id')
      const spawn = { call: textOf(payload, 'call_id'), at: timeIn(fields?.['timestamp']) ?? 0 }
      return child === '' ? [] : [[child, spawn] as const]
    }),
  )
}

/** A subagent's file may be a moment older than the call that started it, but it is read after the call. */
function linesOf(
  id: string,
  lines: readonly FileLine[],
  spawn: Spawn | undefined,
): readonly TranscriptLine[] {
  const subagent = { agentSession: id, call: spawn?.call ?? id }
  return lines.map(line => {
    const plain = plainLine(line)
    return { ...plain, subagent, at: plain.at === null ? null : Math.max(plain.at, spawn?.at ?? 0) }
  })
}

function kindsIn(lines: readonly FileLine[]): PromptKinds {
  if (hasPrompts(lines, 'event')) return 'event'
  return hasPrompts(lines, 'item') ? 'item' : 'message'
}

/** Whether prompts would still be found in the same kind of lines if there were more of them. */
const hasOnly = (lines: readonly FileLine[], kinds: PromptKinds) =>
  kinds === 'event' || kindsIn(lines) === kinds || kindsIn(lines) === 'message'

const hasPrompts = (lines: readonly FileLine[], kinds: PromptKinds) =>
  lines.some(({ fields }) => fields !== null && promptIn(fields, '', kinds) !== null)
