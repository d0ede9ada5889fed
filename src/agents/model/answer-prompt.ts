import type { ModelMessage } from 'ai'
import type { PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { converse, type Outcome } from './converse.ts'
import { failureOf } from './failure.ts'
import { withoutKey } from './keys.ts'
import type { AgentLine } from './lines.ts'
import { promptMessage } from './prompt-content.ts'
import type { Loop } from './loop.ts'
import type { Settings } from './settings.ts'
import { entriesIn, getIn } from '../kit/persistent-map.ts'

type Line = Extract<AgentLine, { readonly dragoman: 'done' }>
type Done = Pick<Line, 'reason' | 'finishReason' | 'error'>

/**
 * Answers a prompt, from its first text to its last line, also when something fails; returns the conversation after
 * it.
 */
export async function answerPrompt(
  loop: Loop,
  before: readonly ModelMessage[],
  prompt: { readonly id: PromptId; readonly parts: readonly PromptPart[] },
  signal: AbortSignal,
): Promise<readonly ModelMessage[]> {
  const { writer } = loop
  const began = performance.now()
  let messages: readonly ModelMessage[] = [...before, promptMessage(prompt.parts)]
  await writer.write({ dragoman: 'begin', prompt: prompt.id })
  let done: Done
  try {
    const progress = (now: readonly ModelMessage[]) => {
      messages = now
    }
    const outcome = await converse(loop, { thread: null, depth: 0, messages, signal, progress })
    messages = outcome.messages
    done = await endingOf(loop, outcome)
  } catch (error) {
    done = signal.aborted ? { reason: 'interrupted' } : failed(loop, error)
  }
  if (done.reason === 'finished') await failLeft(loop)
  await writer.write({ dragoman: 'done', ...done, duration: Math.round(performance.now() - began) })
  return messages
}

async function endingOf({ writer, settings }: Loop, outcome: Outcome): Promise<Done> {
  const notice = noticeOf(outcome, settings)
  if (notice !== null) await writer.write({ dragoman: 'notice', thread: null, level: 'warning', ...notice })
  return { reason: 'finished', finishReason: outcome.isCutShort ? 'other' : outcome.finishReason }
}

/** What a person would otherwise not know about the end of an answer. */
function noticeOf({ finishReason, isCutShort, isEmpty }: Outcome, { steps, maxOutputTokens }: Settings) {
  if (isCutShort)
    return {
      code: 'step-limit',
      message: `Stopped after ${steps} requests to the model, the limit for one prompt. Send "continue" to continue.`,
    }
  if (finishReason === 'length') {
    const limit = maxOutputTokens === null ? 'its limit' : `the limit of ${maxOutputTokens} tokens`
    return {
      code: 'length',
      message: `The answer is cut off: it reached ${limit}. Send "continue" to continue.`,
    }
  }
  if (finishReason === 'content-filter')
    return { code: 'content-filter', message: 'The answer is cut off: a filter of the service stopped it.' }
  return isEmpty ? { code: 'empty-answer', message: 'The model sent an empty answer.' } : null
}

function failed({ settings, key }: Loop, error: unknown): Done {
  const { kind, message } = failureOf(error, settings)
  return { reason: 'failed', error: { kind, message: withoutKey(message, key) } }
}

/** Calls that never ran, because the model was cut short or their input was invalid, end with an error. */
async function failLeft({ writer }: Loop): Promise<void> {
  const message = getIn(writer.known.parts.threads, null)?.message
  for (const [call, waits] of message ? entriesIn(message.waiting) : [])
    if (waits) await writer.write({ dragoman: 'failure', thread: null, call, error: 'It did not run.' })
}
