import {
  deniedLine,
  pauseLine,
  subagentLine,
  type Denial,
  type TranscriptLine,
} from '../../agents/importer.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Event } from '../../protocol/event.ts'
import { withoutHandover } from '../../protocol/handover.ts'
import type { InteractionId, NewId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openParts, type OpenParts } from '../../protocol/open-parts.ts'
import {
  assignInteraction,
  type InteractionOwners,
  type LineSource,
  type TranslatedLine,
} from '../agent/assign-interaction.ts'
import { translateLine } from '../translation/translate-line.ts'
import { follow } from './left-behind.ts'
import { beginsAnswer, type Told } from './read-back.ts'

/** What becomes of some lines: events, and how far the transcript is told with them. */
export interface ToldBatch {
  readonly told: Told
  readonly events: readonly Event[]
  /** When each event happened: the time of its line. */
  readonly times: readonly number[]
}

/** What is known of a batch beside its lines. */
export interface BatchScene {
  readonly file: string
  readonly session: string
  /** What was begun in the session and not ended. */
  readonly open: OpenParts
  /** Whether nothing more was read. */
  readonly isLast: boolean
  /** The time of the session's newest entry, and the time of the import: no entry is older or newer than these. */
  readonly newest: number
  readonly now: number
}

const most = 2000
const longest = 8 * 1024 * 1024

/** Cuts lines where a person asked something, and where there would be too many to save at once. */
export function* cut(lines: readonly TranscriptLine[]): Generator<readonly TranscriptLine[]> {
  let batch: TranscriptLine[] = []
  let length = 0
  for (const line of lines) {
    const isFull = batch.length >= most || length >= longest
    if (batch.length > 0 && (line.prompt !== null || isFull)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(line)
    length += line.raw.raw.length
  }
  if (batch.length > 0) yield batch
}

/** Makes events of some lines, and does nothing else but to remember prompts and messages. Nothing runs and nobody is connected after them, whatever happens next. */
export function tellBatch(before: Told, scene: BatchScene, lines: readonly TranscriptLine[]): ToldBatch {
  const { agent, connection } = before.translation
  const connected: Event = {
    type: 'agent-connected',
    agent: agent.name,
    connection,
    process: null,
    readFrom: scene.file,
    resumed: null,
  }
  const events: Event[] = [connected]
  const times: number[] = []
  let told = before
  let at = scene.newest
  for (const line of lines) {
    at = timeAfter(at, line, scene.now)
    told = turnTo(told, scene, line.subagent?.call ?? null, events)
    if (line.denial !== undefined) told = deny(told, scene, line.denial, events)
    told = tellLine(told, scene, line, events)
    times.push(...Array.from({ length: events.length - times.length }, () => at))
  }
  told = turnTo(told, scene, null, events)
  const ends: Event[] = []
  told = tellLine(told, scene, ownLine(pauseLine), ends)
  events.push(...ends.map(endOfReading))
  told = endUnanswered(told, events)
  const { open, leftBehind } = events.reduce(follow, { open: scene.open, leftBehind: before.leftBehind })
  const chunks = scene.isLast ? close(open, leftBehind) : []
  events.push({ type: 'agent-exited', connection, code: 0, signal: null, reason: null, chunks })
  times.push(...Array.from({ length: events.length - times.length }, () => at))
  return { told: { ...told, leftBehind }, events, times }
}

/**
 * The time of a line's entries. Times never go back within a session, and never lie in the future: a line that is
 * older than the one before it, has no time, or one that has not come yet, takes the time of that one.
 */
const timeAfter = (before: number, { at }: TranscriptLine, now: number): number =>
  at === null || at > now ? before : Math.max(before, at)

const ownLine = (raw: string): TranscriptLine => ({ from: 'host', raw: { raw }, at: null, prompt: null })

/** Says whose lines come next, where these are in another file than the line before. */
function turnTo(told: Told, scene: BatchScene, call: string | null, events: Event[]): Told {
  if (told.subagent === call) return told
  return { ...tellLine(told, scene, ownLine(subagentLine(call)), events), subagent: call }
}

/** A call that was denied had been asked about, though transcripts keep only its result. */
function deny(before: Told, scene: BatchScene, { call, reason }: Denial, events: Event[]): Told {
  const told = tellLine(before, scene, ownLine(deniedLine(call)), events)
  const { pending } = told.memory
  const asked = pending.find(({ toolCallId }) => toolCallId === call)
  if (asked === undefined) return told
  const { approval } = asked
  events.push({ type: 'approval-answered', approval, approved: false, reason, always: false })
  return { ...told, memory: { ...told.memory, pending: pending.filter(each => each !== asked) } }
}

/** Nobody asked for it: there is no more to be read. */
const endOfReading = (event: Event): Event =>
  event.type === 'interaction-ended' && event.outcome === 'interrupted'
    ? { ...event, reason: 'The transcript ends here.' }
    : event

function close(open: OpenParts, leftBehind: ReadonlySet<string>): readonly ThreadChunk[] {
  const errorTexts = new Map([...leftBehind].map(call => [call, noResultAtAll]))
  return openParts.closeAll(open, { errorText: noResult, errorTexts, reason: 'interrupted' })
}

const noResult = 'The transcript ends before there was a result.'
const noResultAtAll = 'There is no result of this in the transcript.'

function tellLine(before: Told, { session }: BatchScene, line: TranscriptLine, events: Event[]): Told {
  // A prompt that is told anew was asked before.
  const isKnown = line.prompt === null || before.prompts.has(line.prompt.id)
  const told = isKnown ? before : begin(endUnanswered(before, events), session, line, events)
  const { connection, agent } = told.translation
  let { interactions } = told
  const newId: NewId = <Kind>() => `${session}.i${(interactions += 1)}` as Kind
  const speaker: LineSource = { agent: agent.name, connection, newId, ending: null }
  const [translation, chunks] = translateLine(told.translation, line.from, line.raw)
  const words: TranslatedLine = { from: line.from, raw: line.raw, chunks }
  const unanswered = beginsAnswer(told.messages, chunks) ? null : told.unanswered
  // It copies the messages that it knows, so it is given those that the line is about.
  const [memory, made] = assignInteraction(
    { ...resumed(told, chunks), messages: messagesIn(told.messages, chunks) },
    speaker,
    words,
  )
  for (const [id, owner] of memory.messages) told.messages.set(id, owner)
  for (const event of made) events.push(event)
  return { ...told, translation, memory, interactions, unanswered }
}

/** What we told the agent of an earlier conversation was not said by a person. */
function ownPart(part: PromptPart): readonly PromptPart[] {
  if (part.type !== 'text') return [part]
  const text = withoutHandover(part.text)
  return text === '' && part.text !== '' ? [] : [{ ...part, text }]
}

/** A person's words begin an interaction. */
function begin(told: Told, session: string, { prompt }: TranscriptLine, events: Event[]): Told {
  if (prompt === null) return told
  const interactions = told.interactions + 1
  const interaction = `${session}.i${interactions}` as InteractionId
  events.push({
    type: 'interaction-started',
    interaction,
    trigger: 'user',
    agent: told.translation.agent.name,
    prompt: prompt.id,
    parts: prompt.parts.flatMap(ownPart),
  })
  const memory = { ...told.memory, running: interaction, latest: interaction, error: null }
  told.prompts.add(prompt.id)
  return { ...told, memory, interactions, unanswered: interaction }
}

/** What was asked and had no answer is over. */
function endUnanswered(told: Told, events: Event[]): Told {
  const { running } = told.memory
  if (running === null) return told
  events.push({
    type: 'interaction-ended',
    interaction: running,
    outcome: 'finished',
    reason: null,
    chunks: [],
  })
  return { ...told, memory: { ...told.memory, running: null } }
}

/** An answer that goes on, or begins, after a pause is that of its interaction, which then ends once more. */
function resumed({ memory, messages, unanswered }: Told, chunks: readonly ThreadChunk[]): InteractionOwners {
  if (memory.running !== null) return memory
  const owner = messages.get(openedFor(chunks) ?? '')
  const running = owner ?? (beginsAnswer(messages, chunks) ? unanswered : null)
  return running === null ? memory : { ...memory, running }
}

/** Those of some messages that chunks begin, or open again. */
function messagesIn(
  messages: Told['messages'],
  chunks: readonly ThreadChunk[],
): InteractionOwners['messages'] {
  const found = new Map<string, InteractionId>()
  for (const { chunk } of chunks) {
    const owner = chunk.type === 'start' ? messages.get(chunk.messageId) : undefined
    if (chunk.type === 'start' && owner !== undefined) found.set(chunk.messageId, owner)
  }
  return found
}

/** The answer that some words open last. News of an older one open it for a moment, and say nothing of its end. */
function openedFor(chunks: readonly ThreadChunk[]): string | undefined {
  let before: string | undefined
  let opened: string | undefined
  for (const { thread, chunk } of chunks) {
    if (thread !== null) continue
    if (chunk.type === 'start') [before, opened] = [opened, chunk.messageId]
    else if (chunk.type === 'finish' && !chunk.messageMetadata?.['reason']) opened = before
  }
  return opened
}
