// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { keepOut, keptValue, withoutAddresses, withoutHandlers } from './keep-out.ts'

it('[S11] attributes cannot contain handlers or external addresses', () => {
  for (const [name, value] of [
    ['onload', 'x()'],
    ['ONERROR', 'x()'],
    ['href', 'javascript:x()'],
    ['xlink:href', 'http://evil.example/a.svg'],
    ['src', 'http://evil.example/a.png'],
    ['srcset', '//evil.example/a.png 1x'],
    ['href', 'data:text/html,x'],
    ['href', 'data:image/svg+xml,<svg onload=x()>'],
  ] as const)
    expect(keptValue(name, value)).toBeNull()
  expect(keptValue('href', '#arrow')).toBe('#arrow')
  expect(keptValue('src', 'data:image/png;base64,AA')).toBe('data:image/png;base64,AA')
  expect(keptValue('marker-end', 'url(#arrow)')).toBe('url(#arrow)')
  expect(keptValue('class', 'onward src')).toBe('onward src')
})

it('[S11] styles refer only to parts of the drawing', () => {
  expect(withoutAddresses('fill: url(#a); stroke: red')).toBe('fill: url(#a); stroke: red')
  for (const style of [
    'background: url(http://evil.example/a)',
    'background: URL( "//evil.example/a")',
    String.raw`background: \75 rl(//evil.example/a)`,
    'background: image-set("//evil.example/a" 1x)',
  ])
    expect(withoutAddresses(style)).not.toMatch(/(?:url|image-set)\(/i)
  expect(withoutAddresses('@import "//evil.example/a.css"; p > a {}').trim()).toBe('p > a {}')
})

it('[S11] no markup contains a handler when it is parsed, and other text is unchanged', () => {
  const parsed = (markup: string) => new DOMParser().parseFromString(withoutHandlers(markup), 'text/html')
  for (const markup of [
    '<img src=x onerror=alert(1)>',
    '<img/onerror=alert(1) src=x>',
    '<img src="x"ONERROR = "x()">',
    `<a title=">" title2='"' onclick\n=x()>`,
    '<!-- <a title=" --><svg onload=x()>',
  ])
    for (const element of parsed(markup).querySelectorAll('*'))
      expect(element.getAttributeNames().filter(name => /^on/i.test(name))).toEqual([])
  for (const text of ['only one <br/> on line', 'a <b>once</b>', 'function=1', 'x.onload=1'])
    expect(withoutHandlers(text)).toBe(text)
})

it('[S11] markup is put into the page without anything that runs or loads', () => {
  keepOut()
  const place = document.createElement('div')
  document.body.append(place)
  place.innerHTML =
    '<p onclick="x()">a<img src="http://evil.example/a" onerror="x()"><script>x()</script><iframe srcdoc="x"></iframe></p>'
  expect(place.innerHTML).toBe('<p>a<img></p>')
  place.insertAdjacentHTML('beforeend', '<b onload="x()">b</b>')
  expect(place.innerHTML).toBe('<p>a<img></p><b>b</b>')
  place.setAttribute('onclick', 'x()')
  expect(place.hasAttribute('onclick')).toBe(false)
  const style = document.createElement('style')
  style.innerHTML = 'a > b { background: url(http://evil.example/a) }'
  expect(style.textContent).toBe('a > b { background: none(http://evil.example/a) }')
})
