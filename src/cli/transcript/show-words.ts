import type { Thread } from '../../protocol/chunk.ts'
import { inert } from '../terminal/inert.ts'
import { depthOf, type Scene, type Words } from './scene.ts'

const named = 60

/** Starts a part of text or thinking. */
export function startWords(scene: Scene, thread: Thread, id: string, thinking: boolean): void {
  const name = nameOf(thread, id)
  scene.words.set(name, { speaker: `words ${name}`, thinking, beginning: '', held: thinking ? '✻ ' : '' })
}

/** Adds to a part: at once in the main conversation, by whole lines for subagents, which may write at the same time. */
export function sayWords(scene: Scene, thread: Thread, id: string, delta: string): void {
  const words = scene.words.get(nameOf(thread, id))
  if (words === undefined) return
  if (words.beginning.length < named) words.beginning += delta.slice(0, named)
  words.held += delta
  const shown = words.held.slice(0, thread === null ? wholeCharacters(words.held) : wholeLines(words.held))
  words.held = words.held.slice(shown.length)
  show(scene, thread, words, shown)
}

/** Ends it. */
export function endWords(scene: Scene, thread: Thread, id: string): void {
  const words = scene.words.get(nameOf(thread, id))
  if (words === undefined) return
  show(scene, thread, words, words.held)
  words.held = ''
}

/** The start of a part, as far as it is kept. */
export function wordsOf(scene: Scene, thread: Thread, id: string): string | undefined {
  const beginning = scene.words.get(nameOf(thread, id))?.beginning
  return beginning === undefined || beginning.length < named ? beginning : `${beginning.slice(0, named)}…`
}

/** Forgets the parts of a thread's last message, because their ids may be reused. */
export function forgetWords(scene: Scene, thread: Thread): void {
  for (const name of scene.words.keys()) if (name.startsWith(nameOf(thread, ''))) scene.words.delete(name)
}

const nameOf = (thread: Thread, id: string) => `${thread === null ? '' : JSON.stringify(thread)} ${id}`

function show(scene: Scene, thread: Thread, { speaker, thinking }: Words, text: string): void {
  if (text === '') return
  const depth = depthOf(scene, thread)
  scene.page.words(speaker, depth, inert(text), thinking ? scene.style.dim : undefined)
  if (depth > 0) scene.page.endLine()
}

/** A character may come in two halves, and a line break, too. */
const wholeCharacters = (text: string) => (/[\ud800-\udbff\r]$/.test(text) ? text.length - 1 : text.length)
const wholeLines = (text: string) => text.lastIndexOf('\n') + 1
