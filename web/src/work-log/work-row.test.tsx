// @vitest-environment jsdom
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { WorkLogEntry } from 'dragoman/client/work-log'
import { WorkRow } from './work-row.tsx'
import { mountEach } from '../ui/mount-each.fixture.ts'

const stage = mountEach()

const entry: WorkLogEntry = {
  toolCallId: 'call',
  message: 'm',
  thread: null,
  interaction: 'i',
  tool: 'Bash',
  family: 'run',
  effect: 'run',
  sentence: 'Ran `rm -r build` → not allowed',
  parameters: { command: '<script>alert(1)</script>' },
  outcome: 'failure',
  approval: 'denied',
  impact: [{ resource: 'file:/app/a.ts', change: 'changed' }],
  duration: 1200,
  start: { seq: 4, at: 0 },
  stop: null,
  seqs: [4, 9],
  raws: [4],
}

describe('a line of the work log', () => {
  const show = (
    isOpen: boolean,
    onInspect = vi.fn<(target: unknown) => void>(),
    onToggle = vi.fn<() => void>(),
  ) => {
    const given = { session: 's', folder: '/app', depth: 0, isOpen, onInspect, onToggle }
    act(() => stage.root.render(<WorkRow entry={entry} {...given} />))
    return { onInspect, onToggle }
  }
  it('[W5] states what was done, the outcome and the duration', () => {
    const { onToggle } = show(false)
    expect(stage.place.textContent).toContain('Ran rm -r build → not allowed')
    expect(stage.place.textContent).toContain('Denied')
    expect(stage.place.textContent).toContain('1.2 s')
    act(() => stage.place.querySelector('button')?.click())
    expect(onToggle).toHaveBeenCalledWith('m call')
  })
  it('[W5] opens to parameters and effects, with links to the message and to the native lines', () => {
    const { onInspect } = show(true)
    expect(stage.place.querySelector('script')).toBeNull()
    expect(stage.place.textContent).toContain('<script>alert(1)</script>')
    expect(stage.place.textContent).toContain('changeda.ts')
    expect(stage.place.querySelector('a')?.getAttribute('href')).toBe('/s/s/m/m')
    act(() =>
      [...stage.place.querySelectorAll('button')].find(({ textContent }) => textContent === 'Raw')?.click(),
    )
    expect(onInspect).toHaveBeenCalledWith({ toolCall: 'call', message: 'm' })
  })
})
