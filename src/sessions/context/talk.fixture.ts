import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act } from '../puppet.fixture.ts'
import type { SessionsOptions } from '../sessions.ts'

/** A file with this many different lines. */
export const lines = (count: number, name = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1} of the file, with some words in it`).join(
    '\n',
  )

/** A call and its result. */
export const toolChunks = (id: string, tool: string, input: Json, output: Json): readonly ThreadChunk[] => [
  {
    thread: null,
    chunk: {
      type: 'tool-input-available',
      toolCallId: id,
      toolName: tool,
      input,
      dynamic: true,
      providerExecuted: true,
    },
  },
  {
    thread: null,
    chunk: { type: 'tool-output-available', toolCallId: id, output, dynamic: true, providerExecuted: true },
  },
]

/** A call that reads a file of 40 lines, and its result. */
export const readChunks = (id: string, path: string): readonly ThreadChunk[] =>
  toolChunks(id, 'Read', { file_path: path }, lines(40, path))

let calls = 0

/** `read PATH` reads a file of 40 lines; any other prompt is repeated. */
const obey: Act = ({ say, text }) => {
  say({ t: 'begin' })
  const [, path] = /^read (\S+)$/.exec(text) ?? []
  if (path === undefined) say({ t: 'say', text })
  else say({ t: 'chunks', chunks: readChunks(`c${(calls += 1)}`, path) })
  say({ t: 'end' })
}

/** Sessions with a puppet that reads files. */
export const openTalk = (more: Partial<SessionsOptions> = {}): Promise<House> =>
  openHouse([createPuppet({ act: obey }), { ...createPuppet({ act: obey }), name: 'other' }], more)

/** Sends prompts one after the other, each to its end. */
export async function sendPrompts(
  house: House,
  session: SessionId,
  ...texts: readonly string[]
): Promise<void> {
  for (const text of texts) {
    await house.prompt(session, text)
    await house.sessions.whenIdle(session)
  }
}
