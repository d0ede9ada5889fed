// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { offer, type Command } from './command.ts'
import { listenForKeys, nothing, press } from './key-listener.ts'

const command = (id: string, keys: Command['keys'], more: Partial<Command> = {}): Command => ({
  id,
  title: id,
  group: 'Test',
  ...(keys !== undefined && { keys }),
  run() {},
  ...more,
})

describe('a key sequence', () => {
  const commands = [command('dash', 'g d'), command('stop', ['mod+.', 'escape escape']), command('new', 'n')]
  const after = (...strokes: readonly (readonly [string, number])[]) => {
    let [pressed, ran] = [nothing, [] as string[]]
    for (const [stroke, at] of strokes) {
      const outcome = press(pressed, stroke, at, commands)
      ;({ pressed } = outcome)
      if (outcome.command !== null) ran = [...ran, outcome.command.id]
    }
    return ran
  }

  it('[W7] is recognized when its keys follow each other soon enough', () => {
    expect(after(['g', 0], ['d', 1000])).toEqual(['dash'])
    expect(after(['g', 0], ['d', 1300])).toEqual([])
    expect(after(['escape', 0], ['escape', 300])).toEqual(['stop'])
    expect(after(['mod+.', 0])).toEqual(['stop'])
  })

  it('[W7] starts again with a key that does not continue it', () => {
    expect(after(['g', 0], ['n', 100])).toEqual(['new'])
    expect(after(['g', 0], ['g', 100], ['d', 200])).toEqual(['dash'])
    expect(after(['g', 0], ['x', 100], ['d', 200])).toEqual([])
  })

  it('[W7] with the same keys as another: the last one wins', () => {
    const both = [command('page', 'a'), command('dock', 'a')]
    expect(press(nothing, 'a', 0, both).command?.id).toBe('dock')
  })
})

describe('the key listener', () => {
  let endings: (() => void)[] = []
  beforeEach(() => {
    endings = [listenForKeys()]
  })
  afterEach(() => {
    for (const end of endings) end()
    document.body.replaceChildren()
  })
  const offering = (...commands: readonly Command[]) => endings.push(offer(commands))
  const type = (target: EventTarget, key: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', {
      key,
      bubbles: true,
      cancelable: true,
      composed: true,
      ...more,
    })
    target.dispatchEvent(event)
    return event.defaultPrevented
  }
  const add = (tag: string, attributes: Readonly<Record<string, string>> = {}) => {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    document.body.append(element)
    return element
  }

  it('[W7] never takes a letter from a text field, unless the command allows it', () => {
    const [plain, brave] = [vi.fn<() => void>(), vi.fn<() => void>()]
    offering(
      command('plain', 'n', { run: plain }),
      command('brave', 'mod+k', { run: brave, whileTyping: true }),
    )
    for (const field of [
      add('textarea'),
      add('input'),
      add('select'),
      add('div', { contenteditable: 'true' }),
    ]) {
      expect(type(field, 'n')).toBe(false)
      expect(type(field, 'k', { ctrlKey: true })).toBe(true)
    }
    expect([plain.mock.calls.length, brave.mock.calls.length]).toEqual([0, 4])
    type(add('input', { type: 'checkbox' }), 'n')
    type(document.body, 'n')
    expect(plain).toHaveBeenCalledTimes(2)
  })

  it('[W7] ignores keys that are unavailable, handled, held down, composed, or under a dialog', () => {
    const run = vi.fn<() => void>()
    let possible = false
    offering(command('x', 'x', { run, when: () => possible }))
    type(document.body, 'x')
    possible = true
    type(document.body, 'x', { repeat: true })
    type(document.body, 'x', { isComposing: true })
    const handled = add('div')
    handled.addEventListener('keydown', event => event.preventDefault())
    type(handled, 'x')
    const dialog = add('dialog', { open: '' })
    type(document.body, 'x')
    expect(run).not.toHaveBeenCalled()
    dialog.remove()
    type(document.body, 'x')
    expect(run).toHaveBeenCalledOnce()
  })

  it('[W7] ignores a command that is no longer offered', () => {
    const run = vi.fn<() => void>()
    offer([command('x', 'x', { run })])()
    type(document.body, 'x')
    expect(run).not.toHaveBeenCalled()
  })
})
