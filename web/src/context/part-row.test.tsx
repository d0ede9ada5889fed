// @vitest-environment jsdom
import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { PartRow } from './part-row.tsx'
import type { ContextPart } from './words.ts'

const asked: PromiseWithResolvers<unknown>[] = []
vi.mock('./use-context-actions.ts', () => ({
  useContextActions: () => ({
    recall: () => {
      const answer = Promise.withResolvers()
      asked.push(answer)
      return answer.promise
    },
  }),
}))
vi.mock('../ui/place-link.tsx', () => ({ PlaceLink: () => null }))

afterEach(() => void asked.splice(0))

const part: ContextPart = {
  part: 'p',
  as: 'placeholder',
  tokens: null,
  rule: 'stale-reads',
  step: 1,
  why: 'It was read again.',
  text: null,
  manipulation: null,
} as never
const recalled = { role: 'user', kind: 'text', tool: null, message: 'm', text: 'Original.' }

const button = () => document.querySelector('button') as HTMLButtonElement
const click = () => act(async () => button().click())

it('[X8] loads the original once, however often it is shown and hidden meanwhile', async () => {
  await render(<PartRow session="s" part={part} source="sent" onAsk={() => {}} />)
  for (const _ of [1, 2, 3]) await click()
  expect(asked).toHaveLength(1)
  await act(async () => asked[0]?.resolve(recalled))
  expect(document.body.textContent).toContain('Original.')
  for (const _ of [1, 2]) await click()
  expect(asked).toHaveLength(1)
})

it('[X8] loads the original again after a failure', async () => {
  await render(<PartRow session="s" part={part} source="sent" onAsk={() => {}} />)
  await click()
  await act(async () => asked[0]?.reject(new Error('The network is gone.')))
  expect(button().textContent).toBe('Show original')
  await click()
  expect(asked).toHaveLength(2)
  await act(async () => asked[1]?.resolve(recalled))
  expect(document.body.textContent).toContain('Original.')
})

it('[X8] states since which request a part is sent this way, unless no request was built here', async () => {
  await render(<PartRow session="s" part={part} source="sent" onAsk={() => {}} />)
  expect(document.body.textContent).toContain('Rule “stale-reads” · since request 1')
  await render(<PartRow session="s" part={part} source="advisory" onAsk={() => {}} />)
  expect(document.body.textContent).not.toContain('since request')
})
