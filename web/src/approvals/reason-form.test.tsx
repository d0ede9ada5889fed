// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { render, type } from '../composer/render.fixture.tsx'
import { ReasonForm } from './reason-form.tsx'
import type { Answer } from './use-answering.ts'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

const lost = 'Codex can’t receive a reason. It is only saved in this session.'

async function open(agent: { readonly denialReasons: boolean } | null) {
  const answers: Answer[] = []
  const page = await render(
    <ReasonForm
      agent={agent && { title: 'Codex', changedInput: false, ...agent }}
      draft="draft"
      takesFocus
      disabled={false}
      onAnswer={answer => answers.push(answer)}
      onBack={() => {}}
    />,
  )
  return { ...page, answers, input: page.place.querySelector('input') ?? undefined }
}

describe('the reason for a denial', () => {
  it('[T6] an agent that cannot receive a reason: the form says so before the user types, and keeps the reason', async () => {
    const { place, input, press, answers } = await open({ denialReasons: false })
    expect(place.textContent).toContain(lost)
    expect(place.textContent).toContain('Reason, for your records only')
    expect(place.textContent).not.toContain('told to the agent')
    await type(input, 'not today')
    await press('Deny')
    expect(answers).toEqual([{ approved: false, reason: 'not today' }])
  })

  it.each([{ denialReasons: true }, null])(
    '[T6] any other agent: the form says that the agent receives the reason: %o',
    async agent => {
      const { place } = await open(agent)
      expect(place.textContent).not.toContain('no way to receive a reason')
      expect(place.textContent).toContain('Reason, sent to the agent')
    },
  )
})
