import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../src/agents/agent.ts'
import { scripted } from '../src/agents/scripted/index.ts'
import { createClient, type Client } from '../src/client/index.ts'
import { chunksOf } from '../src/protocol/event.ts'
import type { ThreadChunk } from '../src/protocol/chunk.ts'
import type { ConnectionId, PromptId } from '../src/protocol/ids.ts'
import { createDragoman, serve } from '../src/server/index.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Bench } from './harness/bench.ts'
import { interleave, type Slice } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median, middleHalf } from './harness/statistics.ts'

const rounds = 60
const allowed = 20
const options = { pace: 0, script: [{ type: 'text', text: 'Hello' }] }

/** How much later the first word comes because it goes through us. */
export const firstChunk: Bench = {
  name: 'first-chunk',
  what: 'from a prompt to the first word on a client',
  beside: `the agent's own time, and ${allowed} ms`,
  how: `The same scripted agent, already running, in both cases. Alone: from a prompt on its stdin to its first word. Through us: from a prompt with dragoman/client to the first word in the client, both saved first. The result is the difference between the two, over ${rounds} rounds.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using direct = await askDirectly(folder.path)
    await using through = await askThrough(folder.path)
    const [alone = [], ours = []] = await interleave(rounds, [direct.ask, through.ask])
    const added = ours.map((time, round) => time - (alone[round] ?? Number.NaN))
    return [
      {
        ours: milliseconds(median(added)),
        peer: milliseconds(allowed),
        ratio: median(added) / allowed,
        spread: middleHalf(added.map(time => time / allowed)),
        goal: { kind: 'at-most', ratio: 1 },
        note: `alone ${milliseconds(median(alone))}, through us ${milliseconds(median(ours))}`,
      },
    ]
  },
}

interface Asked extends AsyncDisposable {
  readonly ask: Slice
}

const isWord = ({ chunk }: ThreadChunk) => chunk.type === 'text-delta'
const isEnd = ({ chunk }: ThreadChunk) => chunk.type === 'finish'

/** Gets chunks, and resolves when one of a kind came. */
function createEar() {
  const waiting = new Map<(said: ThreadChunk) => boolean, () => void>()
  return {
    hear: (chunks: readonly ThreadChunk[]) => {
      for (const [isIt, tell] of waiting) if (chunks.some(isIt)) tell()
    },
    next: (isIt: (said: ThreadChunk) => boolean) =>
      new Promise<void>(resolve => {
        waiting.set(isIt, () => {
          waiting.delete(isIt)
          resolve()
        })
      }),
  }
}

/** Asks, and gives the time to the first word; the end is waited for, but not counted. */
async function timeOf(ear: ReturnType<typeof createEar>, ask: () => unknown): Promise<number> {
  const [word, end] = [ear.next(isWord), ear.next(isEnd)]
  const begin = performance.now()
  void ask()
  await word
  const taken = performance.now() - begin
  await end
  return taken
}

async function askDirectly(folder: string): Promise<Asked> {
  const ear = createEar()
  const connection = await scripted.connect({
    cwd: folder,
    resume: null,
    options,
    dataFolder: folder,
    signal: new AbortController().signal,
    record: () => Promise.resolve(),
  })
  void listen(connection, ear.hear)
  let prompts = 0
  const ask = () => connection.prompt(`p${(prompts += 1)}` as PromptId, [{ type: 'text', text: 'go' }])
  await timeOf(ear, ask)
  return { ask: () => timeOf(ear, ask), [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() }
}

async function listen(
  { messages }: Connection,
  hear: (chunks: readonly ThreadChunk[]) => void,
): Promise<void> {
  let state = scripted.initial('alone' as ConnectionId)
  for await (const { raw } of messages) {
    const [next, chunks] = scripted.translate(state, { from: 'agent', text: raw })
    state = next
    hear(chunks)
  }
}

async function askThrough(folder: string): Promise<Asked> {
  await using opened = new AsyncDisposableStack()
  const data = join(folder, 'data')
  mkdirSync(data)
  const store = opened.use(await openStore({ folder: data, command: 'bench' }))
  const dragoman = opened.use(
    await createDragoman({ store, agents: [scripted], roots: [folder], log: () => undefined }),
  )
  const { url } = opened.use(await serve({ dragoman, port: 0 }))
  const client: Client = opened.use(createClient({ url, token: dragoman.token }))
  const { id } = await client.createSession({ agent: 'scripted', cwd: folder, options })
  const ear = createEar()
  const following = client.follow(id, 0, {
    entries: entries => entries.forEach(({ event }) => ear.hear(chunksOf(event))),
    reset: () => undefined,
    gone: () => undefined,
  })
  opened.defer(() => following.stop())
  const ask = () => client.session(id).prompt('go')
  await timeOf(ear, ask)
  const kept = opened.move()
  return { ask: () => timeOf(ear, ask), [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
