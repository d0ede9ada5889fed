import {
  asSchema,
  isStepCount,
  jsonSchema,
  streamText,
  tool as sdkTool,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import type { FinishReason, Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { asObject, listOf, textOf } from '../kit/fields.ts'
import { callIn } from '../kit/parts/look.ts'
import { bePatient } from './be-patient.ts'
import { buildRequest, cacheMark } from './build-request.ts'
import { createModel } from './create-model.ts'
import { instructionsOf } from './instructions.ts'
import { performCall, type Call } from './perform-call.ts'
import { createRelay } from './relay-fetch.ts'
import type { Scene } from './scene.ts'
import type { Settings } from './settings.ts'
import { allTools } from './tools/index.ts'
import type { Tool } from './tools/tool.ts'

/** A conversation to go on with. */
export interface Talk {
  readonly thread: Thread
  /** How many subagents stand between it and the person. */
  readonly depth: number
  readonly messages: readonly ModelMessage[]
  readonly signal: AbortSignal
  /** Told of the conversation before each request, so that what was done stays known when the rest fails. */
  readonly progress?: (messages: readonly ModelMessage[]) => void
}

/** How a conversation went. */
export interface Outcome {
  readonly messages: readonly ModelMessage[]
  readonly text: string
  readonly finishReason: FinishReason
  /** Whether the last answer said nothing at all. */
  readonly isEmpty: boolean
  /** Whether it was stopped because it took too many requests. */
  readonly isCutShort: boolean
}

const deepest = 2

/**
 * Lets a model answer and call tools until it is done: the tool loop of the AI SDK. Each request is built anew, answers come
 * whole or not at all, and all that is shown is told by the relay and by the calls themselves.
 */
export async function converse(scene: Scene, talk: Talk): Promise<Outcome> {
  const { settings, voice, cwd } = scene
  const { thread, signal } = talk
  const relay = createRelay({ voice, settings, thread, nextRequest: () => scene.nextName('request') })
  const model = bePatient(createModel(settings, scene.key, relay.fetch), { voice, settings, thread, relay })
  const tools = toolsFor(scene, talk)
  const instructions = instructionsOf(settings, cwd, thread !== null)
  let latest: readonly ModelMessage[] = talk.messages
  let trouble: unknown
  const result = streamText({
    model,
    tools,
    instructions: {
      role: 'system',
      content: instructions,
      ...(settings.api === 'anthropic-messages' && cacheMark),
    },
    messages: [...talk.messages],
    // Only what an older program's array had as such is one.
    allowSystemInMessages: true,
    stopWhen: isStepCount(settings.steps),
    maxRetries: 0,
    abortSignal: signal,
    ...callSettings(settings),
    async prepareStep({ responseMessages }) {
      latest = [...talk.messages, ...responseMessages]
      talk.progress?.(latest)
      return {
        messages: await buildRequest(scene, thread, latest, {
          fixedCharacters: fixedCharacters(instructions, scene),
        }),
      }
    },
    onError({ error }) {
      trouble ??= error
    },
  })
  for await (const part of result.stream) {
    if (part.type === 'error') trouble ??= part.error
    if (part.type === 'tool-error') await tellFailure(scene, thread, tools, part)
  }
  signal.throwIfAborted()
  if (trouble !== undefined) throw trouble
  const steps = await result.steps
  const last = steps.at(-1)
  const finishReason = last === undefined || last.finishReason === 'interrupted' ? 'other' : last.finishReason
  return {
    messages: [...talk.messages, ...(await result.responseMessages)],
    text: last?.text ?? '',
    finishReason,
    isEmpty: last?.content.every(part => part.type === 'reasoning' || isBlank(part)) ?? true,
    isCutShort: finishReason === 'tool-calls' && steps.length >= settings.steps,
  }
}

const isBlank = (part: { readonly type: string; readonly text?: string }) =>
  part.type === 'text' && part.text?.trim() === ''

/** A call of a tool that there is not, or with an input that cannot be read, ends before it is anyone's. */
async function tellFailure(
  { voice }: Scene,
  thread: Thread,
  tools: ToolSet,
  { toolCallId: call, toolName: name }: { readonly toolCallId: string; readonly toolName: string },
): Promise<void> {
  if (callIn(voice.known.parts, call)?.state !== 'ready') return
  const words = Object.hasOwn(tools, name)
    ? `The input of ${name} is not valid JSON. It did not run.`
    : `There is no tool ${name.slice(0, 100)}. Available tools: ${Object.keys(tools).join(', ')}.`
  await voice.say({ dragoman: 'failure', thread, call, error: words })
}

/** What every request has before the messages. */
function fixedCharacters(instructions: string, scene: Scene): number {
  const told = chosenTools(scene, { thread: null, depth: 0 }).map(
    ({ description }) => description.length + 400,
  )
  return instructions.length + told.reduce((sum, each) => sum + each, 0)
}

function callSettings({ api, reasoning, maxOutputTokens, model }: Settings) {
  const thinks = /gemini-(2\.5|[3-9])/.test(model)
  const options = {
    ...(api === 'openai-responses' && { openai: { store: false, reasoningSummary: 'auto' } }),
    ...(api === 'gemini' && thinks && { google: { thinkingConfig: { includeThoughts: true } } }),
  }
  return {
    providerOptions: options,
    ...(reasoning !== null && reasoning !== undefined && { reasoning }),
    ...(maxOutputTokens !== null && { maxOutputTokens }),
  }
}

/** Only where something may be left out is there something to recall. */
function chosenTools(
  { settings, context }: Scene,
  { thread, depth }: Pick<Talk, 'thread' | 'depth'>,
): readonly Tool[] {
  const isMeant: Partial<Record<string, boolean>> = {
    delegate: depth < deepest,
    recall: context !== undefined && thread === null,
  }
  return allTools.filter(({ name }) => settings.tools.includes(name) && (isMeant[name] ?? true))
}

function toolsFor(scene: Scene, talk: Talk): ToolSet {
  const { thread, signal } = talk
  const delegate: Call['delegate'] = (call, task) => delegateTo(scene, talk, call, task)
  const made = chosenTools(scene, talk).map(tool => [
    tool.name,
    sdkTool({
      description: tool.description,
      inputSchema: unchecked(tool),
      execute: (
        input: unknown,
        { toolCallId: call, abortSignal }: { toolCallId: string; abortSignal?: AbortSignal },
      ) =>
        performCall(scene, {
          call,
          thread,
          tool,
          input: input as Json,
          signal: abortSignal ?? signal,
          delegate,
        }),
      toModelOutput: ({ output }: { output: unknown }) => modelOutput(output as Json),
    } as never),
  ])
  return Object.fromEntries(made) as ToolSet
}

/** Only what the model is told of an input: the SDK's own check would answer in words for programmers. */
const unchecked = ({ schema }: Tool) =>
  jsonSchema(() => asSchema(schema as never).jsonSchema, { validate: value => ({ success: true, value }) })

/** A picture goes to the model as one. */
function modelOutput(output: Json) {
  if (typeof output === 'string') return { type: 'text', value: output } as const
  const [file] = listOf(asObject(output), 'content').map(asObject)
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(textOf(file ?? {}, 'url')) ?? []
  if (file === undefined || data === undefined) return { type: 'json', value: output } as const
  const shown = { type: 'file', mediaType: textOf(file, 'mediaType'), data: { type: 'data', data } } as const
  return { type: 'content', value: [shown] } as const
}

/** A subagent has a conversation of its own, told in a thread of its own. */
async function delegateTo(
  scene: Scene,
  { depth }: Talk,
  { call, thread, signal }: Call,
  { description, prompt }: { readonly description: string; readonly prompt: string },
): Promise<string> {
  const { voice } = scene
  await voice.say({ dragoman: 'subagent', thread, call, description })
  try {
    const messages: readonly ModelMessage[] = [{ role: 'user', content: prompt }]
    const outcome = await converse(scene, { thread: call, depth: depth + 1, messages, signal })
    await voice.say({ dragoman: 'subagent-end', thread, call, status: 'completed' })
    const report = outcome.text === '' ? 'The helper ended without a report.' : outcome.text
    return outcome.isCutShort ? `${report}\n[The helper was stopped: it took too many steps.]` : report
  } catch (error) {
    const status = signal.aborted ? 'stopped' : 'failed'
    await voice.say({ dragoman: 'subagent-end', thread, call, status })
    throw error
  }
}
