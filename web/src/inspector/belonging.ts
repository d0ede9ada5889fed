import type { ThreadChunk } from 'dragoman'
import type { InspectTarget } from './target.ts'
import type { Line } from './line.ts'

/** Selects, line by line in order, the ones that belong to a target; it knows when no more can follow. */
export interface Belonging {
  take(line: Line): boolean
  isOver(): boolean
}

/** Which lines belong to the target. */
export function createBelonging(target: InspectTarget): Belonging {
  if ('toolCall' in target) return ofCall(target.toolCall)
  if ('message' in target) return either(ofPrompt(target.message), ofAnswer(target.message))
  return { take: () => true, isOver: () => false }
}

const last = new Set(['tool-output-available', 'tool-output-error', 'tool-output-denied', 'tool-input-error'])
const isLast = ({ chunk }: ThreadChunk) =>
  last.has(chunk.type) && !('preliminary' in chunk && chunk.preliminary)

const callOf = ({ chunk }: ThreadChunk) => ('toolCallId' in chunk ? chunk.toolCallId : null)

/** A call: its chunks, its approval request and answer, and native lines that name it. */
function ofCall(call: string): Belonging {
  const approvals = new Set<string>()
  let isOver = false
  return {
    take(line) {
      const chunks = line.chunks.filter(item => callOf(item) === call)
      for (const { chunk } of chunks) if ('approvalId' in chunk) approvals.add(chunk.approvalId)
      if (chunks.some(isLast)) isOver = true
      const { approval } = line.facts
      return (
        chunks.length > 0 ||
        (typeof approval === 'string' && approvals.has(approval)) ||
        [call, ...approvals].some(name => line.raw?.includes(name) === true)
      )
    },
    isOver: () => isOver,
  }
}

/** A prompt: how it arrived, and what the agent was sent until it started to answer. */
function ofPrompt(message: string): Belonging {
  let interaction: unknown = null
  let isOver = false
  return {
    take({ type, facts, direction, chunks }) {
      if (type === 'prompt-queued') return facts['prompt'] === message
      if (type === 'interaction-started' && isOfPrompt(facts, message)) {
        interaction = facts['interaction']
        return true
      }
      const isHere = interaction !== null && facts['interaction'] === interaction
      if (isHere && (type === 'interaction-ended' || chunks.some(({ chunk }) => chunk.type === 'start')))
        isOver = true
      return isHere && !isOver && direction === 'to-agent'
    },
    isOver: () => isOver,
  }
}

const isOfPrompt = ({ prompt, interaction }: Line['facts'], message: string) =>
  prompt === message || `${String(interaction)}:user` === message

/** An answer: everything while it is open in its thread, and later results of its calls. */
function ofAnswer(message: string): Belonging {
  const open = new Map<string | null, string>()
  const calls = new Set<string>()
  const pending = new Set<string>()
  let isSaid = false
  const follow = ({ thread, chunk }: ThreadChunk) => {
    if (chunk.type === 'start') open.set(thread, chunk.messageId)
    if (chunk.type !== 'finish' && chunk.type !== 'abort') return
    if (open.get(thread) === message) isSaid = true
    open.delete(thread)
  }
  const belongs = (item: ThreadChunk): boolean => {
    const call = callOf(item)
    if (item.chunk.type === 'start') follow(item)
    const isMine = (call !== null && calls.has(call)) || open.get(item.thread) === message
    if (item.chunk.type !== 'start') follow(item)
    if (call === null || !isMine) return isMine
    calls.add(call)
    if (isLast(item)) pending.delete(call)
    else pending.add(call)
    return true
  }
  return {
    take: ({ chunks }) => chunks.map(belongs).includes(true),
    isOver: () => isSaid && pending.size === 0,
  }
}

/** Lines that match either; it ends when one of them ends. */
const either = (one: Belonging, other: Belonging): Belonging => ({
  take: line => [one.take(line), other.take(line)].includes(true),
  isOver: () => one.isOver() || other.isOver(),
})
