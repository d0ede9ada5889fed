import type { RawMessage, Translation } from '../agents/agent.ts'
import type { Chunk, ThreadChunk } from '../protocol/chunk.ts'
import type { Json } from '../protocol/json.ts'

/** A line of a puppet. */
export type PuppetLine =
  | { readonly t: 'begin'; readonly agentSession?: string }
  | { readonly t: 'say'; readonly text: string }
  | { readonly t: 'ask'; readonly id: string; readonly tool?: string; readonly input?: Json }
  | { readonly t: 'result'; readonly call: string }
  | { readonly t: 'end'; readonly reason?: 'interrupted' | 'error'; readonly error?: string }
  | { readonly t: 'chunks'; readonly chunks: readonly ThreadChunk[] }
  | { readonly t: 'quiet' }
  | { readonly t: 'boom' }

interface State {
  readonly connection: string
  /** Counted from our own lines, so the translator needs both sides. */
  readonly prompts: number
  readonly lines: number
}

/** Translates a puppet's line. `boom` throws, and so does an unknown kind of line. */
export function translatePuppet(before: State, { from, text }: RawMessage): Translation<State> {
  const state = { ...before, lines: before.lines + 1 }
  if (from === 'host')
    return [{ ...state, prompts: state.prompts + (text.startsWith('{"prompt"') ? 1 : 0) }, []]
  const line = JSON.parse(text) as PuppetLine
  const chunks: readonly ThreadChunk[] | undefined = line.t === 'chunks' ? line.chunks : chunksOf(state, line)
  if (chunks === undefined) throw new Error('Unknown line.')
  return [state, chunks]
}

const main = (chunks: readonly Chunk[]): readonly ThreadChunk[] =>
  chunks.map(chunk => ({ thread: null, chunk }))

function chunksOf({ connection, prompts, lines }: State, line: Exclude<PuppetLine, { t: 'chunks' }>) {
  const id = `${lines}`
  const call = { dynamic: true, providerExecuted: true }
  switch (line.t) {
    case 'begin':
      return main([
        { type: 'start', messageId: `${connection}-${prompts}` },
        {
          type: 'data-session',
          data: { agent: 'puppet', agentSession: line.agentSession ?? null, model: 'wood', cwd: null },
        },
        { type: 'start-step' },
      ])
    case 'say':
      return main([
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: line.text },
        { type: 'text-end', id },
      ])
    case 'ask':
      return main([
        {
          type: 'tool-input-available',
          toolCallId: `call-${line.id}`,
          toolName: line.tool ?? 'rm',
          input: line.input ?? { path: '/' },
          ...call,
        },
        { type: 'tool-approval-request', approvalId: line.id, toolCallId: `call-${line.id}` },
      ])
    case 'result':
      return main([{ type: 'tool-output-available', toolCallId: line.call, output: 'done', ...call }])
    case 'end':
      return main([
        { type: 'finish-step' },
        ...(line.error === undefined ? [] : [{ type: 'error', errorText: line.error } as const]),
        line.reason === undefined
          ? { type: 'finish', finishReason: 'stop' }
          : {
              type: 'finish',
              finishReason: line.reason === 'error' ? 'error' : 'other',
              messageMetadata: { reason: line.reason },
            },
      ])
    case 'quiet':
      return []
    case 'boom':
      throw new Error('what was that?')
  }
}
