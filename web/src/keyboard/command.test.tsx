// @vitest-environment jsdom
import { act, StrictMode, useState, type ReactElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { offered, useCommands, useOffered } from './command.ts'

let root: Root
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.createElement('div'))
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})
const show = (page: ReactElement) => act(() => root.render(<StrictMode>{page}</StrictMode>))

describe('commands', () => {
  it('[W7] are offered while their component is on the page', () => {
    const Part = () => {
      useCommands([{ id: 'a', title: 'A', group: 'g', run() {} }])
      return null
    }
    show(<Part />)
    expect(offered().map(({ id }) => id)).toEqual(['a'])
    show(<i />)
    expect(offered()).toEqual([])
  })

  it('[W7] run the latest function without rendering their users again', () => {
    const done: number[] = []
    let count = 0
    let again = () => {}
    const Part = () => {
      const [number, setNumber] = useState(1)
      again = () => setNumber(2)
      useCommands([
        { id: 'a', title: 'A', group: 'g', run: () => done.push(number), when: () => number === 2 },
      ])
      return null
    }
    const Sheet = () => {
      count += 1
      return useOffered().map(({ title }) => <b key={title}>{title}</b>)
    }
    show(
      <>
        <Sheet />
        <Part />
      </>,
    )
    const before = count
    expect(offered()[0]?.when?.()).toBe(false)
    act(again)
    offered()[0]?.run()
    expect([done, offered()[0]?.when?.(), count]).toEqual([[2], true, before])
  })

  it('[W7] with the same ID replace each other: the last one wins', () => {
    const Part = ({ title }: { readonly title: string }) => {
      useCommands([{ id: 'stop', title, group: 'g', run() {} }])
      return null
    }
    show(
      <>
        <Part title="first" />
        <Part title="second" />
      </>,
    )
    expect(offered().map(({ title }) => title)).toEqual(['second'])
  })
})
