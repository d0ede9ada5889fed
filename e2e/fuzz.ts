import { createHash, type Hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadAgents } from '../src/agents/index.ts'
import { readLines } from '../src/agents/kit/line-reader.ts'
import { createBell } from '../src/journal/bell.ts'
import { created, named } from '../src/journal/journal.contract.ts'
import { openSqliteJournal } from '../src/journal/sqlite/open-sqlite-journal.ts'
import { verify } from '../src/journal/sqlite/verify.ts'
import type { ThreadChunk } from '../src/protocol/chunk.ts'
import type { Event, Raw } from '../src/protocol/event.ts'
import type { ConnectionId, SessionId } from '../src/protocol/ids.ts'
import { openParts } from '../src/protocol/open-parts.ts'
import { findMalformed } from '../src/protocol/well-formed.ts'
import { createMutator } from './mutate.ts'

const agents = await loadAgents()

const { values } = parseArgs({
  options: { lines: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
})
const total = Number(values.lines)
const linesPerConnection = 4000
const folder = mkdtempSync(join(tmpdir(), 'dragoman-fuzz-'))
const failures: string[] = []

/** Mutated lines of an agent's recordings as one stream of bytes, cut into pieces of any size. */
async function* bytesOf(
  seeds: readonly Buffer[],
  count: number,
  seed: number,
  sent: Hash,
): AsyncGenerator<Uint8Array> {
  const mutator = createMutator(seeds, seed)
  let waiting = Buffer.alloc(0)
  for (let line = 0; line < count; line++) {
    const bytes = mutator.line()
    sent.update(bytes).update('\n')
    waiting = Buffer.concat([waiting, bytes, Buffer.from('\n')])
    while (waiting.length > 16_384) {
      const size = mutator.size(waiting.length)
      yield waiting.subarray(0, size)
      waiting = waiting.subarray(size)
    }
  }
  yield waiting
}

/** The exact bytes of a line, from its saved form. */
const exact = ({ raw, rawBytes }: Raw): Buffer =>
  rawBytes === undefined ? Buffer.from(raw) : Buffer.from(rawBytes, 'base64')

/** One connection's worth of hostile lines through reader, translator and journal. */
async function connection(
  agent: (typeof agents)[number],
  seeds: readonly Buffer[],
  session: SessionId,
  count: number,
  seed: number,
) {
  const id = `c${seed}` as ConnectionId
  const sent = createHash('sha256')
  const read = createHash('sha256')
  const said: ThreadChunk[] = []
  let state = agent.initial(id)
  let events: Event[] = []
  const save = async () => {
    await journal.append(session, events)
    events = []
  }
  for await (const raw of readLines(bytesOf(seeds, count, seed, sent), { dataFolder: folder })) {
    const [next, chunks] = agent.translate(state, {
      from: 'agent',
      text: raw.raw,
      ...(raw.rawFile && { cut: true }),
    })
    state = next
    for (const chunk of chunks) said.push(chunk)
    read.update(exact(raw)).update('\n')
    events.push({ type: 'agent-spoke', interaction: null, connection: id, ...raw, chunks })
    if (events.length === 256) await save()
  }
  await save()
  if (sent.digest('hex') !== read.digest('hex'))
    failures.push(`${agent.name}, seed ${seed}: the reader changed bytes`)
  const closing = openParts.closeAll(said.reduce(openParts.apply, openParts.initial), {
    errorText: 'over',
    reason: 'failed',
  })
  const [malformed] = findMalformed([...said, ...closing])
  if (malformed !== undefined) failures.push(`${agent.name}, seed ${seed}: ${JSON.stringify(malformed)}`)
}

/** The journal must give the sent lines back, byte for byte. */
async function compare(
  seeds: readonly Buffer[],
  session: SessionId,
  count: number,
  seed: number,
  after: number,
): Promise<number> {
  const expected = createHash('sha256')
  const mutator = createMutator(seeds, seed)
  for (let line = 0; line < count; line++) expected.update(mutator.line()).update('\n')
  const stored = createHash('sha256')
  let seq = after
  while (seq < after + count) {
    const entries = await journal.read(session, seq, after + count - seq)
    for (const { event } of entries)
      if (event.type === 'agent-spoke') stored.update(exact(event)).update('\n')
    seq = entries.at(-1)?.seq ?? after + count
  }
  if (expected.digest('hex') !== stored.digest('hex'))
    failures.push(`seed ${seed}: the journal changed bytes`)
  return seq
}

const recordingsOf = (name: string) => {
  const path = join(import.meta.dirname, '..', 'src', 'agents', name, 'recordings')
  return readdirSync(path)
    .filter(file => file.endsWith('.jsonl'))
    .flatMap(file => splitLines(readFileSync(join(path, file))))
}

function splitLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0, at = bytes.indexOf(10); at >= 0; from = at + 1, at = bytes.indexOf(10, from))
    if (at > from) lines.push(bytes.subarray(from, at))
  return lines
}

const journal = await openSqliteJournal({ folder, bell: createBell() })
const started = performance.now()
let done = 0
for (const agent of agents) {
  const seeds = recordingsOf(agent.name)
  const session = named(`fuzz-${agent.name}`)
  await journal.create(session, [created])
  const rounds = Math.ceil(total / agents.length / linesPerConnection)
  for (let round = 0; round < rounds && failures.length < 10; round++) {
    await connection(agent, seeds, session, linesPerConnection, Number(values.seed) * 1_000_000 + round)
    done += linesPerConnection
    if (process.stdout.isTTY) process.stdout.write(`\r${done} of ${total} lines`)
  }
  for (let round = 0, seq = 1; round < rounds && failures.length < 10; round++)
    seq = await compare(seeds, session, linesPerConnection, Number(values.seed) * 1_000_000 + round, seq)
}
await journal[Symbol.asyncDispose]()
const report = await verify(folder)
for (const { session, what } of report.damage) failures.push(`verify: ${session ?? 'files'}: ${what}`)
rmSync(folder, { recursive: true, force: true })

console.log(
  `\r${done} mutated lines of ${agents.map(({ name }) => name).join(', ')} through reader, translator and journal`,
)
console.log(
  `${Math.round(done / ((performance.now() - started) / 1000))} lines a second, ${report.entries} entries verified`,
)
for (const failure of failures) console.log(failure)
console.log(
  failures.length === 0
    ? 'No crash, every byte kept, every stream well formed.'
    : `${failures.length} failures`,
)
process.exitCode = failures.length === 0 ? 0 : 1
