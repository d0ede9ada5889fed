import * as z from 'zod/mini'
import { demandOf, wrongIn } from '../../protocol/check-input.ts'
import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { isSameInput } from '../../protocol/rule-scope.ts'
import type { Answer } from '../agent.ts'
import { PathRefused } from '../kit/data-folder.ts'
import { asObject } from '../kit/fields.ts'
import { callIn } from '../kit/parts/look.ts'
import type { Scene } from './scene.ts'
import { ToolRefusal, type Tool, type ToolPlace } from './tools/tool.ts'

/** A call of a model, and where it came. */
export interface Call {
  readonly call: string
  readonly thread: Thread
  readonly tool: Tool
  readonly input: Json
  readonly signal: AbortSignal
  delegate(call: Call, task: Parameters<ToolPlace['delegate']>[0]): Promise<string>
}

/** Runs a call of a model, once a person or a rule allows it, and tells what it gave. A failure is thrown after it was told. */
export async function performCall(scene: Scene, call: Call): Promise<Json> {
  const { voice } = scene
  const { thread, call: name, tool } = call
  try {
    await tellInput(scene, call)
    refuseWrong(tool, call.input)
    const given = await allowedInput(scene, call)
    const output = await tool.run(given.input as never, placeOf(scene, call))
    const told = given.isChanged ? withNote(output, given.input) : output
    await voice.say({ dragoman: 'result', thread, call: name, output: told })
    return told
  } catch (error) {
    if (call.signal.aborted) throw error
    const sentence = sentenceOf(error)
    await voice.say({ dragoman: 'failure', thread, call: name, error: sentence })
    throw new ToolRefusal(sentence, { cause: error })
  }
}

/** What runs is what people and rules were told: services give one id to two calls, and then the SDK names the second anew. */
async function tellInput({ voice }: Scene, { call, thread, tool, input }: Call): Promise<void> {
  const told = callIn(voice.known.parts, call)
  if (told?.tool === tool.name && isSameInput(told.input, input)) return
  await voice.say({ dragoman: 'input', thread, call, tool: tool.name, input })
}

/** The schema tells the model what a tool takes; what it gave instead is told in words that it can follow. */
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

/** The input to run with: as it came, or as the person who allowed the call changed it. */
async function allowedInput(scene: Scene, call: Call): Promise<Given> {
  const { tool, input, thread, call: name } = call
  if (!tool.asks || scene.settings.allow.includes(tool.name)) return { input, isChanged: false }
  const answer = await askPerson(scene, call)
  if (!answer.approved) throw new ToolRefusal(denialOf(answer))
  if (answer.input === undefined || JSON.stringify(answer.input) === JSON.stringify(input))
    return { input, isChanged: false }
  const checked = z.safeParse(tool.schema, answer.input)
  if (!checked.success)
    throw new ToolRefusal(
      `The person edited the input into one that ${tool.name} does not accept, so it did not run.`,
    )
  await scene.voice.say({ dragoman: 'input', thread, call: name, tool: tool.name, input: answer.input })
  return { input: checked.data as Json, isChanged: true }
}

async function askPerson(
  { voice, questions, nextName }: Scene,
  { call, thread, signal }: Call,
): Promise<Answer> {
  const approval = nextName('question')
  // It must be open before anyone can answer.
  const answer = questions.wait(approval, signal)
  answer.catch(() => undefined)
  await voice.say({ dragoman: 'ask', thread, call, approval })
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

function placeOf(scene: Scene, call: Call): ToolPlace {
  const { voice, cwd, dataFolder, settings } = scene
  const { call: name, thread, signal } = call
  return {
    cwd,
    dataFolder,
    settings,
    call: name,
    signal,
    progress: text => voice.say({ dragoman: 'output', thread, call: name, text }),
    showTodos: todos => voice.say({ dragoman: 'todos', thread, todos: [...todos] }),
    askPerson: () => askPerson(scene, call),
    recall: async wanted => (await scene.context?.recall(wanted)) ?? null,
    delegate: task => call.delegate(call, task),
  }
}

/** What the model and the person read; nothing of our own folders and code is in it. */
function sentenceOf(error: unknown): string {
  if (error instanceof ToolRefusal || error instanceof PathRefused) return error.message
  const { code, message, syscall } = error as NodeJS.ErrnoException
  const words = {
    ENOENT: 'No such file or folder.',
    EACCES: 'That is not permitted.',
    EISDIR: 'That is a folder.',
    ENOTDIR: 'Part of that path is not a folder.',
    ELOOP: 'That is a link to another place.',
    ENOSPC: 'The disk is full.',
  }
  if (code !== undefined && Object.hasOwn(words, code)) return words[code as keyof typeof words]
  // What the system says ends with the path by which we went, which is not the one that was asked for.
  return syscall === undefined ? message : (message.split(', ', 1)[0] ?? message)
}
