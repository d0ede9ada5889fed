import { createUsage } from '../../projections/usage.ts'
import type { Spent } from '../../projections/spent.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf, type EventOf } from '../../protocol/event.ts'
import { costText, countText, durationText } from '../terminal/amounts.ts'
import { inert } from '../terminal/inert.ts'
import type { Style } from '../terminal/style.ts'
import { createPage } from './page.ts'
import { createScene, type Scene } from './scene.ts'
import { showChunk } from './show-chunk.ts'
import { showEvent } from './show-event.ts'

const logLines = 10

/** A session as text for a terminal, entry by entry. */
export interface Transcript {
  /** What one more entry adds to the text. */
  take(entry: Entry): string
  /** Ends an unfinished line, so that something else can be written below. */
  pause(): string
}

/** The transcript of a session from any entry on. */
export function createTranscript(style: Style, columns: number): Transcript {
  const page = createPage(style)
  const scene = createScene(page, style, columns)
  const usage = createUsage()
  return {
    take(entry) {
      usage.apply(entry)
      showEvent(scene, entry)
      for (const threadChunk of chunksOf(entry.event)) showChunk(scene, threadChunk)
      if (entry.event.type === 'interaction-ended')
        showEnd(scene, entry.event, entry.at, usage.view().interactions.get(entry.event.interaction))
      return page.take()
    },
    pause() {
      page.endLine()
      return page.take()
    },
  }
}

function showEnd(
  scene: Scene,
  { outcome, reason }: EventOf<'interaction-ended'>,
  at: number,
  spent: Spent | undefined,
): void {
  const { page, style, startedAt, failure } = scene
  const paint = { finished: style.dim, failed: style.red, interrupted: style.yellow }[outcome]
  if (outcome === 'failed') showLog(scene)
  if (reason !== null && reason !== failure) page.lines('end', 0, paint(`✗ ${inert(reason)}`))
  const status = { finished: 'Done', failed: 'Failed', interrupted: 'Stopped' }[outcome]
  const took = startedAt === null ? status : `${status} in ${durationText(at - startedAt)}`
  page.lines('end', 0, [paint(took), ...spentTexts(spent).map(style.dim)].join(style.dim(' · ')))
  scene.startedAt = null
}

/** The agent's log often explains more than its failure. */
function showLog({ page, style, log }: Scene): void {
  const lines = inert(log.trimEnd()).split('\n').slice(-logLines)
  if (log.trim() !== '') page.lines('log', 0, style.dim(`agent log:\n${lines.join('\n')}`))
}

function spentTexts(spent: Spent | undefined): readonly string[] {
  if (spent === undefined) return []
  const { input, output, cacheRead, cacheWrite } = spent.tokens
  return [
    `${countText(input + cacheRead + cacheWrite)} tokens in, ${countText(output)} out`,
    ...(spent.cost === null ? [] : [costText(spent.cost)]),
  ]
}
