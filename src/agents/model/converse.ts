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
import { withRetries } from './retry.ts'
import { buildRequest, cacheMark } from './build-request.ts'
import { createModel } from './create-model.ts'
import { instructionsOf } from './instructions.ts'
import { performCall, type Call } from './perform-call.ts'
import { createRelay } from './relay-fetch.ts'
import type { Loop } from './loop.ts'
import type { Settings } from './settings.ts'
import { allTools } from './tools/index.ts'
import type { Tool } from './tools/tool.ts'

/** A conversation to continue. */
export interface Conversation {
  readonly thread: Thread
  /** How many subagents are between it and the person. */
  readonly depth: number
  readonly messages: readonly ModelMessage[]
  readonly signal: AbortSignal
  /** Called with the conversation before each request, so that it is kept when the rest fails. */
  readonly progress?: (messages: readonly ModelMessage[]) => void
}

/** How a conversation ended. */
export interface Outcome {
  readonly messages: readonly ModelMessage[]
  readonly text: string
  readonly finishReason: FinishReason
  /** Whether the last answer was empty. */
  readonly isEmpty: boolean
  /** Whether it was stopped because it took too many requests. */
  readonly isCutShort: boolean
}

const deepest = 2

/**
 * Lets a model answer and call tools until it is done: the tool loop of the AI SDK. Each request is built from scratch,
 * answers come whole or not at all, and the relay and the calls show everything.
 */
export async function converse(loop: Loop, conversation: Conversation): Promise<Outcome> {
  const { settings, writer, cwd } = loop
  const { thread, signal } = conversation
  const relay = createRelay({ writer, settings, thread, nextRequest: () => loop.nextName('request') })
  const model = withRetries(createModel(settings, loop.key, relay.fetch), { writer, settings, thread, relay })
  const tools = toolsFor(loop, conversation)
  const instructions = instructionsOf(settings, cwd, thread !== null)
  let latest: readonly ModelMessage[] = conversation.messages
  let trouble: unknown
  const result = streamText({
    model,
    tools,
    instructions: {
      role: 'system',
      content: instructions,
      ...(settings.api === 'anthropic-messages' && cacheMark),
    },
    messages: [...conversation.messages],
    // Only system messages of an imported array are system messages.
    allowSystemInMessages: true,
    stopWhen: isStepCount(settings.steps),
    maxRetries: 0,
    abortSignal: signal,
    ...callSettings(settings),
    async prepareStep({ responseMessages }) {
      latest = [...conversation.messages, ...responseMessages]
      conversation.progress?.(latest)
      return {
        messages: await buildRequest(loop, thread, latest, {
          fixedCharacters: fixedCharacters(instructions, loop),
        }),
      }
    },
    onError({ error }) {
      trouble ??= error
    },
  })
  for await (const part of result.stream) {
    if (part.type === 'error') trouble ??= part.error
    if (part.type === 'tool-error') await reportFailure(loop, thread, tools, part)
  }
  signal.throwIfAborted()
  if (trouble !== undefined) throw trouble
  const steps = await result.steps
  const last = steps.at(-1)
  const finishReason = last === undefined || last.finishReason === 'interrupted' ? 'other' : last.finishReason
  return {
    messages: [...conversation.messages, ...(await result.responseMessages)],
    text: last?.text ?? '',
    finishReason,
    isEmpty: last?.content.every(part => part.type === 'reasoning' || isBlank(part)) ?? true,
    isCutShort: finishReason === 'tool-calls' && steps.length >= settings.steps,
  }
}

const isBlank = (part: { readonly type: string; readonly text?: string }) =>
  part.type === 'text' && part.text?.trim() === ''

/** A call of an unknown tool, or with an invalid input, ends before it runs. */
async function reportFailure(
  { writer }: Loop,
  thread: Thread,
  tools: ToolSet,
  { toolCallId: call, toolName: name }: { readonly toolCallId: string; readonly toolName: string },
): Promise<void> {
  if (callIn(writer.known.parts, call)?.state !== 'ready') return
  const error = Object.hasOwn(tools, name)
    ? `The input of ${name} is not valid JSON. It did not run.`
    : `There is no tool ${name.slice(0, 100)}. Available tools: ${Object.keys(tools).join(', ')}.`
  await writer.write({ dragoman: 'failure', thread, call, error: error })
}

/** What every request has before the messages. */
function fixedCharacters(instructions: string, loop: Loop): number {
  const sizes = chosenTools(loop, { thread: null, depth: 0 }).map(
    ({ description }) => description.length + 400,
  )
  return instructions.length + sizes.reduce((sum, each) => sum + each, 0)
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

/** The recall tool is offered only where something may be left out. */
function chosenTools(
  { settings, context }: Loop,
  { thread, depth }: Pick<Conversation, 'thread' | 'depth'>,
): readonly Tool[] {
  const isOffered: Partial<Record<string, boolean>> = {
    delegate: depth < deepest,
    recall: context !== undefined && thread === null,
  }
  return allTools.filter(({ name }) => settings.tools.includes(name) && (isOffered[name] ?? true))
}

function toolsFor(loop: Loop, conversation: Conversation): ToolSet {
  const { thread, signal } = conversation
  const delegate: Call['delegate'] = (call, task) => delegateTo(loop, conversation, call, task)
  const made = chosenTools(loop, conversation).map(tool => [
    tool.name,
    sdkTool({
      description: tool.description,
      inputSchema: unchecked(tool),
      execute: (
        input: unknown,
        { toolCallId: call, abortSignal }: { toolCallId: string; abortSignal?: AbortSignal },
      ) =>
        performCall(loop, {
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

/** The schema is only for the model: the error messages of the SDK's own check are for programmers. */
const unchecked = ({ schema }: Tool) =>
  jsonSchema(() => asSchema(schema as never).jsonSchema, { validate: value => ({ success: true, value }) })

/** An image goes to the model as an image. */
function modelOutput(output: Json) {
  if (typeof output === 'string') return { type: 'text', value: output } as const
  const [file] = listOf(asObject(output), 'content').map(asObject)
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(textOf(file ?? {}, 'url')) ?? []
  if (file === undefined || data === undefined) return { type: 'json', value: output } as const
  const shown = { type: 'file', mediaType: textOf(file, 'mediaType'), data: { type: 'data', data } } as const
  return { type: 'content', value: [shown] } as const
}

/** A subagent has a separate conversation, in a separate thread. */
async function delegateTo(
  loop: Loop,
  { depth }: Conversation,
  { call, thread, signal }: Call,
  { description, prompt }: { readonly description: string; readonly prompt: string },
): Promise<string> {
  const { writer } = loop
  await writer.write({ dragoman: 'subagent', thread, call, description })
  try {
    const messages: readonly ModelMessage[] = [{ role: 'user', content: prompt }]
    const outcome = await converse(loop, { thread: call, depth: depth + 1, messages, signal })
    await writer.write({ dragoman: 'subagent-end', thread, call, status: 'completed' })
    const report = outcome.text === '' ? 'The helper ended without a report.' : outcome.text
    return outcome.isCutShort ? `${report}\n[The helper was stopped: it took too many steps.]` : report
  } catch (error) {
    const status = signal.aborted ? 'stopped' : 'failed'
    await writer.write({ dragoman: 'subagent-end', thread, call, status })
    throw error
  }
}
