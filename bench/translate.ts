import { readdirSync, readFileSync } from 'node:fs'
import type { Agent, RawMessage } from '../src/agents/agent.ts'
import { loadAgents } from '../src/agents/index.ts'
import type { ConnectionId } from '../src/protocol/ids.ts'
import type { Bench, Measured } from './harness/bench.ts'
import { interleave, ratioOf, type Slice } from './harness/interleave.ts'
import { perSecond } from './harness/numbers.ts'
import { median, middleHalf } from './harness/statistics.ts'

const rounds = 12
const sliceMs = 150
const wanted = 200_000
const recordings = new URL('../src/agents/', import.meta.url)

/** How fast native messages become chunks. */
export const translate: Bench = {
  name: 'translate',
  what: 'native messages of the recordings into chunks',
  beside: 'JSON.parse alone; 200,000 messages a second',
  how: `All recordings of an agent are parsed and translated repeatedly from memory, compared with parsing alone. A second is a second of processor time of all threads. Slices of ${sliceMs} ms take turns, ${rounds} rounds.`,
  seconds: 0,
  async run() {
    const measured: Measured[] = []
    // The lines of the scripted agent are our own.
    const real = (await loadAgents()).filter(({ name }) => name !== 'scripted')
    for (const agent of real) measured.push(...(await measure(agent)))
    return measured
  },
}

type Recording = readonly RawMessage[]

async function measure(agent: Agent): Promise<readonly Measured[]> {
  const all = readRecordings(agent)
  const messages = all.reduce((sum, { length }) => sum + length, 0)
  const bytes = all.flat().reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const [ours = [], parsed = []] = await interleave(rounds, [
    rateOf(messages, () => translateAll(agent, all)),
    rateOf(messages, () => parseAll(all)),
  ])
  const note = `${all.length} recordings, ${messages} messages of ${Math.round(bytes / messages)} bytes`
  const rate = perSecond(median(ours))
  return [
    {
      part: agent.name,
      ours: rate,
      peer: perSecond(median(parsed)),
      ...ratioOf(ours, parsed),
      goal: { kind: 'at-least', ratio: 0.25 },
      note,
    },
    {
      part: `${agent.name}, compared with 200,000/s`,
      ours: rate,
      peer: perSecond(wanted),
      ratio: median(ours) / wanted,
      spread: middleHalf(ours.map(each => each / wanted)),
      goal: { kind: 'at-least', ratio: 1 },
    },
  ]
}

/** Lines that are not JSON are skipped: parsing them throws an error each time. */
function readRecordings(agent: Agent): readonly Recording[] {
  const folder = new URL(`${agent.name}/recordings/`, recordings)
  return readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .map(name =>
      readFileSync(new URL(name, folder), 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line =>
          agent.readRecorded ? agent.readRecorded(line) : ({ from: 'agent', text: line } as const),
        )
        .filter(raw => raw !== null && isJson(raw.text))
        .filter(raw => raw !== null),
    )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Messages a second of processor time, over as many whole passes as a slice holds: what others do meanwhile does not count. */
function rateOf(messages: number, pass: () => number): Slice {
  return () => {
    const before = process.cpuUsage()
    let passes = 0
    let made = 0
    while (spentMs(before) < sliceMs) {
      made += pass()
      passes += 1
    }
    if (made === 0) throw new Error('Nothing was made of the recordings.')
    return Promise.resolve((passes * messages * 1000) / spentMs(before))
  }
}

/** The processor time of all threads of this process, in milliseconds. */
function spentMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function translateAll(agent: Agent, all: readonly Recording[]): number {
  let made = 0
  for (const recording of all) {
    let state = agent.initial('bench' as ConnectionId)
    for (const raw of recording) {
      const [next, chunks] = agent.translate(state, raw)
      state = next
      made += chunks.length
    }
  }
  return made
}

function parseAll(all: readonly Recording[]): number {
  let made = 0
  for (const recording of all)
    for (const { text } of recording) if ((JSON.parse(text) as object | null) !== null) made += 1
  return made
}
