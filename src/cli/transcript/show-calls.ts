import { asObject } from '../../protocol/json.ts'
import type { Chunk, Thread } from '../../protocol/chunk.ts'
import { endsCall } from '../../projections/call-end.ts'
import { resultOfEnd } from '../../projections/work-log/result.ts'
import { textIn } from '../../protocol/tool-call/fields.ts'
import { questionsIn } from '../ask/question.ts'
import { shorten } from '../terminal/columns.ts'
import { inertLine } from '../terminal/inert.ts'
import { depthOf, type CallFacts, type Scene } from './scene.ts'
import { inputSummary, outputSummary } from './summaries.ts'

type ChunkOf<Type extends Chunk['type']> = Extract<Chunk, { readonly type: Type }>

const hanging = (call: string) => `call ${call}`

/** A card for a call that starts or changed; its outcome is added to the line if nothing comes between. */
export function showCall(scene: Scene, thread: Thread, chunk: ChunkOf<'tool-input-available'>): void {
  const { toolCallId, toolName: tool, title, input } = chunk
  const depth = depthOf(scene, thread)
  const shown = scene.calls.has(toolCallId) ? cardText(scene, toolCallId, depth) : null
  scene.calls.set(toolCallId, { tool, title, input })
  const card = cardText(scene, toolCallId, depth)
  // Some agents repeat a call with more details, which may not be visible on the card.
  if (card === shown) return
  if (!scene.depths.has(toolCallId)) scene.depths.set(toolCallId, depth + 1)
  scene.page.hang(hanging(toolCallId), 'work', depth, `● ${card}`)
}

/** A call whose input is incomplete. */
export function showBrokenCall(scene: Scene, thread: Thread, chunk: ChunkOf<'tool-input-error'>): void {
  const { toolCallId, toolName: tool, title, errorText } = chunk
  scene.calls.set(toolCallId, { tool, title, input: null })
  showOutcome(scene, thread, toolCallId, false, errorText)
}

/** The output of a call. Preliminary outputs are not shown. */
export function showOutput(scene: Scene, thread: Thread, chunk: ChunkOf<'tool-output-available'>): void {
  if (!endsCall(chunk)) return
  const { outcome, interrupted } = resultOfEnd(chunk)
  const well = outcome !== 'failure' && interrupted !== true
  showOutcome(scene, thread, chunk.toolCallId, well, outputSummary(chunk.output))
}

/** How a call ended. */
export function showOutcome(scene: Scene, thread: Thread, call: string, well: boolean, text: string): void {
  const { page, style, calls } = scene
  const depth = depthOf(scene, thread)
  const mark = well ? style.green('✓') : style.red('✗')
  const summary = shorten(inertLine(text), scene.columns - 2 * depth - 4)
  const outcome = well ? style.dim(summary) : summary
  const card = cardText(scene, call, depth)
  calls.delete(call)
  if (page.complete(hanging(call), ` ${mark} ${outcome}`.trimEnd())) return
  page.lines('work', depth, `${mark} ${card}${outcome && ` · ${outcome}`}`)
}

/** An approval request or a question. */
export function showQuestion(scene: Scene, thread: Thread, chunk: ChunkOf<'tool-approval-request'>): void {
  const { approvalId, toolCallId } = chunk
  const call = scene.calls.get(toolCallId)
  const tool = inertLine(call?.tool ?? toolCallId)
  const isQuestion = questionsIn(call?.input ?? null) !== null
  scene.asked.set(approvalId, { tool, isQuestion })
  const what = isQuestion ? 'needs an answer' : 'needs approval'
  scene.page.lines('work', depthOf(scene, thread), scene.style.yellow(`? ${tool} ${what}`))
}

function cardText({ calls, style, columns }: Scene, call: string, depth: number): string {
  const { tool = call, title, input = null } = calls.get(call) ?? {}
  const name = inertLine(tool)
  const shown = summaryOf(title, input)
  const room = Math.max(16, Math.floor(columns * 0.6) - 2 * depth - name.length)
  return `${style.bold(name)} ${shorten(shown, room)}`.trimEnd()
}

/** A title may explain a command; the command still comes first. */
function summaryOf(title: string | undefined, input: CallFacts['input']): string {
  const about = inertLine(title ?? '')
  const command = inertLine(textIn(asObject(input), 'command') ?? '')
  if (about === '') return inputSummary(input)
  return command === '' || about.includes(command) ? about : `${command} · ${about}`
}
