// @vitest-environment jsdom
import { act, useState, type ReactElement } from 'react'
import type { OptionsSchema } from 'dragoman'
import { describe, expect, it } from 'vitest'
import { pressKey, render, type } from '../composer/render.fixture.tsx'
import { OptionBar } from './option-bar.tsx'
import { afterChanges, type OptionValues } from './option-values.ts'

const schema: OptionsSchema = {
  type: 'object',
  properties: {
    model: {
      title: 'Model',
      description: 'A model.',
      type: 'string',
      examples: ['oak', 'elm'],
      'x-place': 'bar',
    },
    mode: {
      title: 'Mode',
      type: 'string',
      enum: ['ask', 'all'],
      'x-place': 'bar',
      'x-labels': { ask: 'Ask first', all: 'Allow all' },
      'x-risks': { all: 'It never asks.' },
    },
    budget: { title: 'Budget', description: 'In dollars.', type: 'number' },
    tools: { title: 'Tools', type: 'array', items: { type: 'string' }, 'x-place': 'advanced' },
    config: { title: 'Configuration', type: 'object', 'x-place': 'advanced' },
    resume: { title: 'Continue', type: 'string', 'x-new': true },
  },
}

interface Given {
  readonly values?: OptionValues
  readonly hindrance?: string | null
  readonly isNew?: boolean
}

// jsdom has no modal dialogs.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true
}
HTMLDialogElement.prototype.close = function close() {
  this.open = false
}

async function open({ values = {}, hindrance = null, isNew = false }: Given = {}) {
  const changes: OptionValues[] = []
  function Holder(): ReactElement {
    const [now, set] = useState(values)
    const onChange = (change: OptionValues) => {
      changes.push(change)
      set(before => afterChanges(before, change))
    }
    return (
      <OptionBar
        schema={schema}
        values={now}
        model="pine"
        isNew={isNew}
        hindrance={hindrance}
        onChange={onChange}
      />
    )
  }
  const page = await render(<Holder />)
  const named = <Wanted extends HTMLElement>(name: string) =>
    [...document.body.querySelectorAll<Wanted>('select, input, textarea, button')].find(
      each => (each.getAttribute('aria-label') ?? labelOf(each) ?? each.textContent) === name,
    )
  const labelOf = (element: HTMLElement) =>
    element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`)?.textContent
  const choose = async (name: string, value: string) => {
    const select = named<HTMLSelectElement>(name)
    const item = [...(select?.options ?? [])].find(({ text }) => text === value)
    if (select === undefined || item === undefined) throw new Error(`no ${value} in ${name}`)
    await act(async () => {
      select.value = item.value
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })
  }
  const press = (name: string) => act(async () => named(name)?.click())
  return { ...page, changes, named, choose, press }
}

describe('the options next to the message', () => {
  it('[A17] show the current values, and what the agent uses while nothing is chosen', async () => {
    const { named } = await open({ values: { mode: 'ask' } })
    expect(named<HTMLSelectElement>('Model')?.selectedOptions[0]?.text).toBe('Model: pine')
    expect(named<HTMLSelectElement>('Mode')?.selectedOptions[0]?.text).toBe('Ask first')
    expect(named('Budget')).toBeUndefined()
  })

  it('[A17] are changed one at a time, and set back to the default with null', async () => {
    const { changes, choose } = await open()
    await choose('Model', 'oak')
    await choose('Model', 'Model: pine')
    expect(changes).toEqual([{ model: 'oak' }, { model: null }])
  })

  it('[A17] any other model can be typed; Escape leaves the model as it was', async () => {
    const { changes, choose, named } = await open({ values: { model: 'birch' } })
    expect(named<HTMLSelectElement>('Model')?.selectedOptions[0]?.text).toBe('birch')
    await choose('Model', 'Other…')
    await type(named<HTMLInputElement>('Model'), 'ash-2')
    await pressKey(named('Model'), 'Enter')
    expect(changes).toEqual([{ model: 'ash-2' }])
    await choose('Model', 'Other…')
    await type(named<HTMLInputElement>('Model'), 'thrown away')
    await pressKey(named('Model'), 'Escape')
    expect(changes).toEqual([{ model: 'ash-2' }])
    expect(named('Model')?.tagName).toBe('SELECT')
    // A closed list of values takes no other.
    expect([...(named<HTMLSelectElement>('Mode')?.options ?? [])].map(({ text }) => text)).toEqual([
      'Mode: default',
      'Ask first',
      'Allow all',
    ])
  })

  it('[A17] a risky value is followed by its warning as long as it is set', async () => {
    const { place, choose } = await open()
    expect(place.textContent).not.toContain('It never asks.')
    await choose('Mode', 'Allow all')
    expect(place.querySelector('[role=note]')?.textContent).toBe('It never asks.')
    await choose('Mode', 'Ask first')
    expect(place.querySelector('[role=note]')).toBeNull()
  })

  it('[A17] are disabled with a reason', async () => {
    const { named } = await open({ hindrance: 'You can change options when the agent is done.' })
    for (const name of ['Model', 'Mode', 'More options']) {
      expect((named(name) as HTMLSelectElement).disabled, name).toBe(true)
      expect(named(name)?.title).toBe('You can change options when the agent is done.')
    }
  })
})

describe('the other options', () => {
  it('[A17] are in a dialog, and only what changed is sent', async () => {
    const { changes, press, named } = await open({ values: { tools: ['a'], config: { x: 1 } } })
    await press('More options')
    expect(named<HTMLTextAreaElement>('Tools')?.value).toBe('a')
    expect(named('Continue')).toBeUndefined()
    await type(named<HTMLInputElement>('Budget'), '2.5')
    await type(named<HTMLTextAreaElement>('Tools'), 'a\nb\n')
    await press('Save options')
    expect(changes).toEqual([{ budget: 2.5, tools: ['a', 'b'] }])
    await press('More options')
    await type(named<HTMLInputElement>('Budget'), '')
    await press('Save options')
    expect(changes.at(-1)).toEqual({ budget: null })
    await press('More options')
    await press('Save options')
    expect(changes).toHaveLength(2)
  })

  it('[A17] an invalid value is explained at its field, and nothing is sent', async () => {
    const { changes, press, named } = await open()
    await press('More options')
    await type(named<HTMLInputElement>('Budget'), 'a lot')
    await type(named<HTMLTextAreaElement>('Configuration'), '{')
    await press('Save options')
    const problems = [...document.querySelectorAll('[role=alert]')].map(each => each.textContent)
    expect(problems).toEqual(['Write a number.', 'Write JSON, as in {"name": "value"}.'])
    expect(named('Budget')?.getAttribute('aria-invalid')).toBe('true')
    expect(changes).toEqual([])
  })

  it('[A17] those of new sessions are offered only before there is a session', async () => {
    const { press, named } = await open({ isNew: true })
    await press('More options')
    expect(named('Continue')).toBeDefined()
  })

  it('[A17] [S11] names and values of an agent are shown as text without control signs', async () => {
    const hostile: OptionsSchema = {
      type: 'object',
      properties: {
        'x\u202Ey': {
          type: 'string',
          examples: ['\u202Eevil'],
          'x-place': 'bar',
          description: '<img src=x onerror=alert(1)>',
        },
      },
    }
    const { place } = await render(
      <OptionBar schema={hostile} values={{}} hindrance={null} onChange={() => {}} />,
    )
    const said = [...place.querySelectorAll('*')].map(
      each => `${each.textContent}${each.ariaLabel}${each.getAttribute('title')}`,
    )
    expect(said.join('')).toContain('evil')
    expect(said.join('')).not.toContain('\u202E')
    expect(place.querySelector('img')).toBeNull()
  })
})
