// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { useFollowEnd, type FollowEnd } from './use-follow-end.ts'

/** A list at whose end somebody looks: 1000 high, of which half is in sight. */
async function look() {
  const list = { scrollTop: 500, scrollHeight: 1000, clientHeight: 500 }
  const place = Object.assign(new EventTarget(), list) as unknown as HTMLElement
  let end: FollowEnd | undefined
  const Page = () => {
    end = useFollowEnd({ current: place }, [])
    return null
  }
  await render(<Page />)
  const change = (now: Partial<typeof list>) =>
    act(async () => {
      Object.assign(place, now)
      end?.scrolled()
    })
  await change({ scrollTop: 500 })
  const grow = (height: number) =>
    act(async () => {
      Object.assign(place, { scrollHeight: height })
      end?.resized()
    })
  return { place, change, grow, isFollowing: () => end?.isFollowing }
}

it('[W2] the end is let go of by whoever scrolls up, and kept when there is more room or less to show', async () => {
  const { change, isFollowing } = await look()
  await change({ scrollTop: 440, clientHeight: 560 })
  expect(isFollowing()).toBe(true)
  await change({ scrollTop: 340, scrollHeight: 900 })
  expect(isFollowing()).toBe(true)
  await change({ scrollTop: 300 })
  expect(isFollowing()).toBe(false)
  await change({ scrollTop: 340 })
  expect(isFollowing()).toBe(true)
})

it('[W2] nothing moves under a pointer that is pressed, and the end is in sight again when it is released', async () => {
  const { place, change, grow, isFollowing } = await look()
  await change({ scrollTop: 501 })
  await grow(1200)
  expect(place.scrollTop).toBe(1200)
  place.dispatchEvent(new Event('pointerdown'))
  await grow(1400)
  expect(place.scrollTop).toBe(1200)
  await act(async () => {
    window.dispatchEvent(new Event('pointerup'))
    await new Promise(resolve => setTimeout(resolve, 1))
  })
  expect([place.scrollTop, isFollowing()]).toEqual([1400, true])
})
