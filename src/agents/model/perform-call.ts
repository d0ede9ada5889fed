import * as z from 'zod/mini'
import { demandOf, wrongIn } from '../../protocol/check-input.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { isSameInput } from '../../protocol/rule-scope.ts'
import type { Answer } from '../agent.ts'
import { PathRefused } from '../kit/data-folder.ts'
import { asObject } from '../kit/fields.ts'
import { callIn } from '../kit/parts/look.ts'
import type { Loop } from './loop.ts'
import { ToolRefusal, type Tool, type ToolPlace } from './tools/tool.ts'

/** A call of a model, and its place. */
export interface Call {
  readonly call: string
  readonly thread: Thread
  readonly tool: Tool
  readonly input: Json
  readonly signal: AbortSignal
  delegate(call: Call, task: Parameters<ToolPlace['delegate']>[0]): Promise<string>
}

/**
 * Runs a call of a model, once a person or a rule approves it, and reports its result. A failure is thrown after it
 * was reported.
 */
export async function performCall(loop: Loop, call: Call): Promise<Json> {
  const { writer } = loop
  const { thread, call: name, tool } = call
  try {
    await reportInput(loop, call)
    refuseWrong(tool, call.input)
    const given = await allowedInput(loop, call)
    const output = await tool.run(given.input as never, placeOf(loop, call))
    const result = given.isChanged ? withNote(output, given.input) : output
    await writer.write({ dragoman: 'result', thread, call: name, output: result })
    return result
  } catch (error) {
    if (call.signal.aborted) throw error
    const sentence = sentenceOf(error)
    await writer.write({ dragoman: 'failure', thread, call: name, error: sentence })
    throw new ToolRefusal(sentence, { cause: error })
  }
}

/**
 * The input that people and rules saw is the one that runs: some services give one id to two calls, and then the SDK
 * renames the second.
 */
async function reportInput({ writer }: Loop, { call, thread, tool, input }: Call): Promise<void> {
  const shown = callIn(writer.known.parts, call)
  if (shown?.tool === tool.name && isSameInput(shown.input, input)) return
  await writer.write({ dragoman: 'input', thread, call, tool: tool.name, input })
}

/** The schema tells the model what a tool takes; an invalid input is reported in words that it can follow. */
function refuseWrong(tool: Tool, input: Json): void {
  const issue = wrongIn(tool.schema, input)
  if (issue === undefined) return
  const name = issue.path.length === 0 ? 'The input' : `"${issue.path.join('.')}" in the input`
  throw new ToolRefusal(`${name} of ${tool.name} ${demandOf(issue, input)}. It did not run.`)
}

interface Given {
  readonly input: Json
  readonly isChanged: boolean
}

/** The input to run with: the model's, or the one edited by the person who approved the call. */
async function allowedInput(loop: Loop, call: Call): Promise<Given> {
  const { tool, input, thread, call: name } = call
  if (!tool.asks || loop.settings.allow.includes(tool.name)) return { input, isChanged: false }
  const answer = await askPerson(loop, call)
  if (!answer.approved) throw new ToolRefusal(denialOf(answer))
  if (answer.input === undefined || JSON.stringify(answer.input) === JSON.stringify(input))
    return { input, isChanged: false }
  const checked = z.safeParse(tool.schema, answer.input)
  if (!checked.success)
    throw new ToolRefusal(
      `The person edited the input into one that ${tool.name} does not accept, so it did not run.`,
    )
  await loop.writer.write({ dragoman: 'input', thread, call: name, tool: tool.name, input: answer.input })
  return { input: checked.data as Json, isChanged: true }
}

async function askPerson(
  { writer, questions, nextName }: Loop,
  { call, thread, signal }: Call,
): Promise<Answer> {
  const approval = nextName('question')
  // It must be open before it can be answered.
  const answer = questions.wait(approval, signal)
  answer.catch(() => undefined)
  await writer.write({ dragoman: 'ask', thread, call, approval })
  return answer
}

const denialOf = ({ reason }: Answer) =>
  reason === null || reason === '' ? 'The person denied this call.' : `The person denied this call: ${reason}`

function withNote(output: Json, input: Json): Json {
  const note = `The person edited the input of this call; it ran with ${JSON.stringify(input)}.`
  if (typeof output === 'string') return `${note}\n${output}`
  const fields = asObject(output)
  return Object.keys(fields).length > 0 ? { note, ...fields } : { note, output }
}

function placeOf(loop: Loop, call: Call): ToolPlace {
  const { writer, cwd, dataFolder, settings } = loop
  const { call: name, thread, signal } = call
  return {
    cwd,
    dataFolder,
    settings,
    call: name,
    signal,
    progress: text => writer.write({ dragoman: 'output', thread, call: name, text }),
    showTodos: todos => writer.write({ dragoman: 'todos', thread, todos: [...todos] }),
    askPerson: () => askPerson(loop, call),
    recall: async wanted => (await loop.context?.recall(wanted)) ?? null,
    delegate: task => call.delegate(call, task),
  }
}

/** What the model and the person read; nothing of our own folders and code is in it. */
function sentenceOf(error: unknown): string {
  if (error instanceof ToolRefusal || error instanceof PathRefused) return error.message
  const { code, message, syscall } = error as NodeJS.ErrnoException
  const messages = {
    ENOENT: 'No such file or folder.',
    EACCES: 'That is not permitted.',
    EISDIR: 'That is a folder.',
    ENOTDIR: 'Part of that path is not a folder.',
    ELOOP: 'That is a link to another place.',
    ENOSPC: 'The disk is full.',
  }
  if (code !== undefined && Object.hasOwn(messages, code)) return messages[code as keyof typeof messages]
  // The system's message ends with the resolved path, which is not the one that was asked for.
  return syscall === undefined ? message : (message.split(', ', 1)[0] ?? message)
}
