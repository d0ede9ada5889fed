// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { render, wait } from '../composer/render.fixture.tsx'
import { useFollowEnd, type FollowEnd } from './use-follow-end.ts'

/** What scrolls as a browser lets it: not beyond the end. */
class Place extends EventTarget {
  scrollHeight = 1000
  clientHeight = 500
  private top = 500
  get scrollTop() {
    return this.top
  }
  set scrollTop(top: number) {
    this.top = Math.min(top, this.scrollHeight - this.clientHeight)
  }
}

/** A list at whose end somebody looks: 1000 high, of which half is in sight. */
async function look() {
  const place = new Place() as Place & HTMLElement
  let end: FollowEnd | undefined
  const Page = () => {
    end = useFollowEnd({ current: place }, [])
    return null
  }
  await render(<Page />)
  const change = ({ scrollTop = place.scrollTop, ...sizes }: Partial<Place>) =>
    act(async () => {
      Object.assign(place, sizes)
      place.scrollTop = scrollTop
      end?.scrolled()
    })
  expect([place.scrollTop, end?.isFollowing]).toEqual([500, true])
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

it('[W2] whoever goes up in the moment in which less is written is let go of, too', async () => {
  const { place, change, grow, isFollowing } = await look()
  await change({ scrollTop: 0, scrollHeight: 900 })
  expect(isFollowing()).toBe(false)
  await grow(1100)
  expect(place.scrollTop).toBe(0)
})

it('[W2] nothing moves under a pointer that is pressed, and the end is in sight again when it is released', async () => {
  const { place, grow, isFollowing } = await look()
  await grow(1200)
  expect(place.scrollTop).toBe(700)
  const press = (how: object) => place.dispatchEvent(Object.assign(new Event('pointerdown'), how))
  press({ button: 2, isPrimary: true })
  await grow(1300)
  expect(place.scrollTop).toBe(800)
  press({ button: 0, isPrimary: true })
  // The press takes the focus from whatever had it.
  document.body.dispatchEvent(new Event('blur'))
  await wait(1)
  await grow(1400)
  expect(place.scrollTop).toBe(800)
  window.dispatchEvent(new Event('pointerup'))
  await wait(1)
  expect([place.scrollTop, isFollowing()]).toEqual([900, true])
})
