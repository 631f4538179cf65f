// Each block of code and each value in a list of facts gets a button that copies it. Browsers let only secure pages copy.
for (const code of navigator.clipboard ? document.querySelectorAll(':is(pre, dd) > code') : []) {
  const { parentElement: around } = code;
  const heading = document.getElementById(around.getAttribute('aria-labelledby')) ?? around.previousElementSibling;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLabel = `Copy ${around.ariaLabel ?? heading.textContent}`;
  const said = document.createElement('span');
  said.role = 'status';
  button.addEventListener('click', async () => {
    const say = (text) => () => Object.assign(said, { textContent: text });
    await navigator.clipboard.writeText(code.textContent).then(say('Copied'), say('Select and copy it by hand'));
  });
  const place = document.createElement('div');
  place.className = 'copy';
  place.append(said, button);
  around[around.localName === 'pre' ? 'before' : 'append'](place);
}
