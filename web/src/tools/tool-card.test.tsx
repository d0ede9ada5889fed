// @vitest-environment jsdom
import { act } from 'react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Json, ToolPart } from 'dragoman'
import { withoutAnsi } from '../safety/inert-text.ts'
import { cardOf } from './card.ts'
import { agents, readRecording, recordingsOf } from './recorded-calls.fixture.ts'
import { sectionsOf } from './sections/sections-of.ts'
import { shownCall } from './sections/shown-call.ts'
import { ToolCard, previewOf } from './tool-card.tsx'
import { mountEach } from '../ui/mount-each.fixture.ts'

// Lazy modules are loaded in advance.
beforeAll(() => Promise.all([import('./card-body.tsx'), import('./diff/diff-view.tsx')]))

const stage = mountEach()

let shown = 0
const show = (part: ToolPart, agent: string) =>
  act(async () =>
    stage.root.render(
      <ToolCard
        key={(shown += 1)}
        part={part}
        session={null}
        live
        place={{ agent, cwd: '/workspace' }}
        thread={String(shown)}
      />,
    ),
  )

/** Opens everything that can be opened. */
async function openAll(): Promise<void> {
  const openMore = async () => {
    const closed = [...stage.place.querySelectorAll('details:not([open])')] as HTMLDetailsElement[]
    const buttons = [...stage.place.querySelectorAll('button')].filter(
      button =>
        button.getAttribute('aria-expanded') === 'false' || button.textContent.startsWith('Show more'),
    )
    const isLoading = stage.place.textContent.includes('Loading the ')
    await act(async () => {
      for (const details of closed) details.open = true
      for (const button of buttons) button.click()
      await new Promise(resolve => setTimeout(resolve))
    })
    return closed.length + buttons.length === 0 && !isLoading
  }
  await expect.poll(openMore, { interval: 0 }).toBe(true)
}

/** Every word of some JSON, except field names. */
function wordsOf(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'object') return Object.values(value).flatMap(wordsOf)
  return withoutAnsi(String(value)).split(
    // oxlint-disable-next-line no-control-regex -- control characters are what is left out
    /[\s\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]+/,
  )
}

function expectWords(part: ToolPart): void {
  const text = stage.place.textContent
  const output = 'output' in part ? part.output : undefined
  const error = 'errorText' in part ? part.errorText : undefined
  const all = new Set([part.input, output, error].flatMap(wordsOf))
  expect([...all].filter(word => !text.includes(word))).toEqual([])
}

describe.each(agents)('the tool cards of $name', agent => {
  const recordings = recordingsOf(agent)

  it.runIf(recordings.length > 0).each(recordings)(
    '[W2] %s: each call has a line and every word of it can be reached',
    async recording => {
      const calls = await readRecording(agent, recording)
      for (const { parts } of calls) {
        for (const part of parts) {
          const where = { agent: agent.name, cwd: '/workspace' }
          const card = cardOf(part, where, true)
          const call = shownCall(part, where)
          expect(card.sentence).toMatch(/^\S.{2,}/)
          expect(card.sentence).not.toMatch(/undefined|null|\[object|NaN/)
          previewOf(call, card)
          sectionsOf(call, card.family, card.exit)
        }
        const last = parts.at(-1)
        if (last === undefined) continue
        await show(last, agent.name)
        await openAll()
        expectWords(last)
      }
    },
  )
})
