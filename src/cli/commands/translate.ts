import { agents } from '../../agents/index.ts'
import { loaded } from '../../agents/load-when-used.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import { createDialectV7, type NewThreadChunk } from '../../protocol/dialect-v7.ts'
import { DragomanError } from '../../protocol/error.ts'
import { redact } from '../../protocol/redact.ts'
import { readChoice, wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import type { Output } from '../terminal/output.ts'
import { countLines } from '../translate/count-lines.ts'
import { foldRecording } from '../translate/fold-recording.ts'
import { readRecording } from '../translate/read-recording.ts'
import { translateRecording } from '../translate/translate-recording.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** Output is written in pieces of this size. */
const batch = 1 << 16

/** Translates a recording, without a store. */
export const translate = defineCommand({
  name: 'translate',
  operands: [],
  about: `
Translates an agent's native lines from standard input. Saves nothing and starts nothing. The same input always
gives the same output. Messages still open at the end of the recording are closed. If no line could be
translated, a warning is printed to standard error.
Each output line is {"thread", "line", "chunk"}, or with --as messages {"thread", "message"}.`,
  flags: {
    agent: { type: 'string', value: 'NAME', help: 'the agent that wrote the lines' },
    as: { type: 'string', value: 'chunks|messages', help: 'what to print (default: chunks)' },
    dialect: {
      type: 'string',
      value: 'portable|v7',
      help: '"portable" chunks work with every AI SDK since 6.0.0 (default); "v7" needs version 7',
    },
    json: { type: 'boolean', help: 'no effect: the output is always JSON' },
  },
  async run({ flags }, { stdin, out, err }) {
    const shape = readChoice('translate', 'as', flags.as, ['chunks', 'messages']) ?? 'chunks'
    const dialect = readChoice('translate', 'dialect', flags.dialect, ['portable', 'v7']) ?? 'portable'
    if (flags.agent === undefined) throw wrongUsage('translate', '--agent is missing.')
    const newer = createDialectV7()
    const say = dialect === 'v7' ? (threadChunk: ThreadChunk) => newer.say(threadChunk) : portable
    const agent = await loaded(agentNamed(flags.agent))
    const count = countLines()
    const lines = count.made(translateRecording(agent, count.read(readRecording(stdin))))
    const write = createBatches(out)
    if (shape === 'messages') for (const each of await foldRecording(lines)) await write(each)
    else
      for await (const { line, chunks } of lines)
        for (const { thread, chunk } of chunks.flatMap(say)) await write({ thread, line, chunk })
    await write.end()
    const verdict = count.verdict(agent)
    if (verdict !== null) err.write(`${verdict}\n`)
    return 0
  },
})

const portable = (threadChunk: ThreadChunk): readonly NewThreadChunk[] => [threadChunk]

function agentNamed(name: string) {
  const agent = agents.find(each => each.name === name)
  if (agent !== undefined) return agent
  const names = agents.map(each => each.name).join(', ')
  throw new DragomanError('unknown-agent', `There is no agent "${redact(name)}". Available agents: ${names}.`)
}

/** Writes values as lines, many at a time. */
function createBatches(out: Output) {
  let text = ''
  const end = async () => {
    out.write(text)
    text = ''
    await out.drained()
  }
  const write = async (value: unknown) => {
    text += jsonLine(value)
    if (text.length >= batch) await end()
  }
  return Object.assign(write, { end })
}
