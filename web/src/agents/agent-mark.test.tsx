// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { AgentMark, markOf } from './agent-mark.tsx'

it('[W1] every agent has a mark, and the agents that come with Dragoman have different ones', () => {
  const known = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'scripted'].map(markOf)
  expect(new Set(known.map(({ hue }) => hue)).size).toBe(known.length)
  expect(new Set(known.map(({ letters }) => letters)).size).toBe(known.length)
  expect(markOf('my-agent')).toEqual(markOf('my-agent'))
  expect(markOf('my-agent').letters).toBe('My')
  expect(markOf('constructor').letters).toBe('Co')
  expect(markOf('').letters).toBe('?')
})

it('[W1] a mark has the name of the agent as text', async () => {
  const { place } = await render(<AgentMark agent="codex" title="Codex" />)
  const mark = place.querySelector('[role=img]')
  expect([mark?.getAttribute('aria-label'), mark?.textContent]).toEqual(['Codex', 'Cx'])
})
