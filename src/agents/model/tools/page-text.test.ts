import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageText, shortPageText } from './page-text.ts'

describe('pageText', () => {
  it.each([
    ['<p>One</p><p>two &amp; <b>three</b></p>', 'One\n\ntwo & three'],
    [
      '<a class="x" href="https://a.example/b">there</a> and <a href="#top">up</a>',
      'there (https://a.example/b) and up',
    ],
    ['<ul><li>a<li class="x">b</ul>', '- a\n- b'],
    ['a<script>if (1 < 2) x()</SCRIPT >b<style>p{}</style>c<svg><a href="x">d</a></svg>', 'a b c'],
    ['a<!-- <p>no</p> -->b<!-- never closed <p>c', 'a b'],
    ['a<script>never closed', 'a'],
    ['<A HREF="x">one<a href="y">two</a></a>', 'onetwo (y)'],
    ['1 <2> 3 <!doctype html><x-y>4', '1 3 4'],
    ['no end <b', 'no end <b'],
    ['<a href="?a=1&amp;b=&lt;">go</a href="x"> on</a>', 'go (?a=1&b=<) on'],
    [`<a href="data:,${'x'.repeat(9000)}">a file</a>`, 'a file'],
    ['a&am<b>p;', 'a&amp;'],
    ['a <b>c</b> < d &lt; &AMP; <!-- e', 'a c < d < &'],
    ['&#65;&#x42;&lt;&unknown;&#0;', 'AB<&unknown;&#0;'],
  ])('[S28] reads %j', async (html, text) => {
    expect(shortPageText(html)).toBe(text)
    expect(await pageText(html)).toBe(text)
  })

  const tags = [
    '<',
    '>',
    '<p>',
    '</p>',
    '<li>',
    '<a href="x&amp;y">',
    '</a>',
    '<script>',
    '</script>',
    '<!--',
    '-->',
  ]
  const tokens = [...tags, '&', '&amp;', '&#10;', '&#x20;', ';', ' ', '\n', '\t', '\r\n', '😀']
  const anyPage = fc
    .array(fc.oneof(fc.constantFrom(...tokens), fc.string({ maxLength: 5 })), { maxLength: 40 })
    .map(parts => parts.join(''))

  it('[S12] returns the same text for every size of a slice', async () => {
    await fc.assert(
      fc.asyncProperty(anyPage, fc.integer({ min: 1, max: 30 }), async (html, slice) => {
        expect(await pageText(html, slice)).toBe(shortPageText(html))
      }),
    )
  })

  it.each([
    ['<li>', ''],
    ['<b>', ''],
    ['&#9;', ''],
    [' \n', ''],
    ['words ', '<p>'],
    ['<', ''],
  ])('[S12] lets the server do other work while it reads a page of %j', async (part, end) => {
    let turns = 0
    let isReading = true
    const count = () => {
      turns += 1
      if (isReading) setImmediate(count)
    }
    setImmediate(count)
    await pageText(part.repeat(2 ** 21 / part.length) + end)
    isReading = false
    expect(turns).toBeGreaterThanOrEqual(15)
  })
})
