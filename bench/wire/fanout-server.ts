import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDragoman, serve } from '../../src/server/index.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { ConnectionId, SessionId } from '../../src/protocol/ids.ts'
import { createNativeLines } from '../load/native-lines.ts'
import { createSpeech, type Speech } from '../load/spoken.ts'
import { openFileJournal } from '../stores/file-journal.ts'
import { createPassingJournal } from '../stores/passing-journal.ts'
import { firehose } from './firehose.ts'
import { memoryHeld } from './memory-held.ts'
import { answerBench } from './part.ts'
import type { FanoutAsked, FanoutTold, Keeps } from './fanout-asked.ts'

// Our server, with our journal, one that only appends, or one that only passes on, and many sessions whose agents speak at a pace.
let journal: Store['journal']
let speeches: readonly Speech[] = []
const lines = createNativeLines(4096)

answerBench(async (asked: FanoutAsked): Promise<FanoutTold> => {
  if (asked.type === 'open') return open(asked)
  if (asked.type === 'memory') return { type: 'memory', memory: memoryHeld() }
  return asked.type === 'say' ? say(asked.count) : speak(asked)
})

async function say(count: number): Promise<FanoutTold> {
  const { session = '' as SessionId } = speeches[0] ?? {}
  const spoken = { interaction: null, connection: 'c' as ConnectionId, raw: '' }
  for (let no = 0; no < count; no++) {
    const chunk = {
      type: 'text-delta',
      id: 'stamp',
      delta: String(performance.timeOrigin + performance.now()),
    } as const
    await journal.append(session, [{ type: 'agent-spoke', ...spoken, chunks: [{ thread: null, chunk }] }])
  }
  return { type: 'said' }
}

async function open({
  folder,
  keeps,
  sessions,
}: Extract<FanoutAsked, { type: 'open' }>): Promise<FanoutTold> {
  const ours = await openStore({ folder })
  const store = { ...ours, journal: journalOf(ours, keeps, folder) }
  journal = store.journal
  speeches = Array.from({ length: sessions }, (_, no) => createSpeech(no))
  for (const { session } of speeches)
    await journal.create(session, [
      { type: 'session-created', agent: 'firehose', cwd: tmpdir(), title: null, options: null },
    ])
  const dragoman = await createDragoman({ store, agents: [firehose], roots: [tmpdir()], log: () => {} })
  const { url } = await serve({ dragoman, port: 0 })
  return { type: 'opened', url, token: dragoman.token, sessions: speeches.map(({ session }) => session) }
}

function journalOf({ journal: ours, bell }: Store, keeps: Keeps, folder: string): Store['journal'] {
  if (keeps === 'journal') return ours
  return keeps === 'file'
    ? openFileJournal(join(folder, 'appended'), bell).journal
    : createPassingJournal(bell)
}

/** Lets every session write this many lines a second for a while; gives the cost for this process. */
async function speak({
  pace,
  milliseconds,
  bytes,
}: Extract<FanoutAsked, { type: 'speak' }>): Promise<FanoutTold> {
  const begin = performance.now()
  const before = process.cpuUsage()
  const padding = 'x'.repeat(bytes ?? 0)
  let events = 0
  const saving = new Set<Promise<unknown>>()
  const due = speeches.map((_, no) => begin + (no / speeches.length) * (1000 / pace))
  for (let now = begin; now < begin + milliseconds; now = performance.now()) {
    for (const [no, speech] of speeches.entries())
      for (; (due[no] ?? now) < now; due[no] = (due[no] ?? now) + 1000 / pace) {
        const saved = append(speech, events++, padding).finally(() => saving.delete(saved))
        saving.add(saved)
      }
    await sleep(1)
  }
  await Promise.all(saving)
  await sleep(200)
  const { user, system } = process.cpuUsage(before)
  return { type: 'spoke', events, cpuMicroseconds: user + system }
}

async function append({ session, hear }: Speech, no: number, padding: string): Promise<void> {
  const event = hear(lines[no % lines.length] ?? '')
  const chunks =
    padding === '' || !('chunks' in event)
      ? null
      : [{ thread: null, chunk: { type: 'text-delta', id: 'padding', delta: padding } } as const]
  await journal.append(session, [chunks === null ? event : ({ ...event, chunks } as typeof event)])
}
