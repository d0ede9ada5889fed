import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundTranscript, Importer, ReadOptions, Transcript, TranscriptLine } from '../importer.ts'
import { asObject, objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { mergeByTime } from '../kit/merge-by-time.ts'
import { parseJson } from '../kit/parse-json.ts'
import { timeIn } from '../kit/time-in.ts'
import { filesBelow, firstIn, readObjects, type FileLine } from '../kit/transcript-files.ts'
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
  initial: initialTranscript,
  translate: translateTranscript,
}

async function* find(path: string): AsyncGenerator<FoundTranscript> {
  const rollouts: Rollout[] = []
  for await (const file of filesBelow(path)) {
    if (!/\.jsonl(\.gz|\.zst)?$/.test(file)) continue
    const first = await firstIn(file)
    if (first === undefined || !isMeta(first)) continue
    rollouts.push({ file, ...namesIn(lineOf(first).payload) })
  }
  const ids = new Set(rollouts.map(({ id }) => id))
  // A subagent is part of the conversation that started it, unless that conversation is missing.
  for (const rollout of rollouts.filter(({ parent }) => parent === null || !ids.has(parent))) {
    const { file, id: agentSession } = rollout
    const { size, mtime } = await stat(file)
    const facts = { file, agentSession, changedAt: mtime.getTime(), bytes: size }
    yield { ...facts, read: options => read(rollout, descendantsOf(rollout, rollouts), options) }
  }
}

/** A file, its session, and the session that started it as a subagent. */
interface Rollout {
  readonly file: string
  readonly id: string
  readonly parent: string | null
}

function namesIn(meta: Fields): Omit<Rollout, 'file'> {
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

async function read(
  { file, id: agentSession }: Rollout,
  descendants: readonly Rollout[],
  options: ReadOptions,
): Promise<Transcript> {
  const lines = await readObjects(file, options)
  const meta = lineOf(lines[0]?.fields ?? {}).payload
  const kinds = kindsIn(lines)
  const main = lines.map(({ raw, fields }, index): TranscriptLine => {
    const prompt = fields === null ? null : promptIn(fields, `${agentSession}.p${index + 1}`, kinds)
    return { ...plainLine({ raw, fields }), from: prompt === null ? 'agent' : 'host', prompt }
  })
  const files: (readonly FileLine[])[] = [lines]
  for (const each of descendants) files.push(await readObjects(each.file, options))
  const calls = spawnsIn(files.flat())
  const theirs = descendants.map(({ id }, index) => linesOf(id, files[index + 1] ?? [], calls.get(id)))
  return { agentSession, cwd: textOrNull(meta, 'cwd'), title: null, lines: mergeByTime([main, ...theirs]) }
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
  const has = (kinds: PromptKinds) =>
    lines.some(({ fields }) => fields !== null && promptIn(fields, '', kinds) !== null)
  return has('event') ? 'event' : has('item') ? 'item' : 'message'
}
