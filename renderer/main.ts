/** Entry of the window: styles, then the page. */
import { mount } from 'svelte';
import App from './App.svelte';
import { directionOf } from './lib/test-language.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/cards.css';
import './styles/controls.css';

document.documentElement.dir = directionOf(location.search);
const target = document.getElementById('app');
if (!target) throw new Error('index.html must have an element with the ID "app".');
mount(App, { target });
