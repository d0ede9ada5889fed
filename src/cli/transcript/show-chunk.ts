import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import { inert, inertLine } from '../terminal/inert.ts'
import { fileText } from './file-text.ts'
import { depthOf, type Scene } from './scene.ts'
import { showBrokenCall, showCall, showOutcome, showOutput, showQuestion } from './show-calls.ts'
import { showNotice, showRetracted, showSubagent, showTodos, showUnknown } from './show-data.ts'
import { endWords, forgetWords, sayWords, startWords } from './show-words.ts'

type Shows = {
  readonly [Type in Chunk['type']]: (
    scene: Scene,
    thread: Thread,
    chunk: Extract<Chunk, { readonly type: Type }>,
  ) => void
}

/** Shows what one chunk means in its thread. */
export function showChunk(scene: Scene, { thread, chunk }: ThreadChunk): void {
  // A journal may hold chunks of a newer kind than this code knows.
  if (!Object.hasOwn(shows, chunk.type)) return
  const show = shows[chunk.type] as (scene: Scene, thread: Thread, chunk: Chunk) => void
  show(scene, thread, chunk)
}

const nothing = () => {}
const work = (scene: Scene, thread: Thread, text: string) =>
  scene.page.lines('work', depthOf(scene, thread), text)

const shows: Shows = {
  start: forgetWords,
  'start-step': nothing,
  'finish-step': nothing,
  'text-start': (scene, thread, { id }) => startWords(scene, thread, id, false),
  'text-delta': (scene, thread, { id, delta }) => sayWords(scene, thread, id, delta),
  'text-end': (scene, thread, { id }) => endWords(scene, thread, id),
  'reasoning-start': (scene, thread, { id }) => startWords(scene, thread, id, true),
  'reasoning-delta': (scene, thread, { id, delta }) => sayWords(scene, thread, id, delta),
  'reasoning-end': (scene, thread, { id }) => endWords(scene, thread, id),
  'tool-input-start': nothing,
  'tool-input-delta': nothing,
  'tool-input-available': showCall,
  'tool-input-error': showBrokenCall,
  'tool-approval-request': showQuestion,
  'tool-output-available': showOutput,
  'tool-output-error': (scene, thread, { toolCallId, errorText }) =>
    showOutcome(scene, thread, toolCallId, false, errorText),
  'tool-output-denied': (scene, thread, { toolCallId }) =>
    showOutcome(scene, thread, toolCallId, false, 'denied'),
  'source-url': (scene, thread, { url, title }) =>
    work(scene, thread, `[source ${inertLine(`${title ?? ''} ${url}`)}]`),
  'source-document': (scene, thread, { title, mediaType }) =>
    work(scene, thread, `[source ${inertLine(`${title} ${mediaType}`)}]`),
  file: (scene, thread, chunk) => work(scene, thread, scene.style.blue(fileText(chunk))),
  'data-session': nothing,
  'data-limits': nothing,
  'data-usage': nothing,
  'data-shortened': nothing,
  'data-todos': (scene, thread, { data }) => showTodos(scene, thread, data),
  'data-notice': (scene, thread, { data }) => showNotice(scene, thread, data),
  'data-retracted': (scene, thread, { data }) => showRetracted(scene, thread, data),
  'data-subagent': (scene, thread, { id, data }) => showSubagent(scene, thread, id ?? '', data),
  'data-unknown': (scene, thread, { data }) => showUnknown(scene, thread, data),
  'message-metadata': nothing,
  error: (scene, thread, { errorText }) => {
    scene.failure = errorText
    scene.page.lines('end', depthOf(scene, thread), scene.style.red(`✗ ${inert(errorText)}`))
  },
  abort: nothing,
  finish: nothing,
}
