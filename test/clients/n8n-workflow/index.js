/** What n8n-nodes-creatomate takes from n8n's own package, so that the client can be tested without n8n. */
'use strict';

class NodeOperationError extends Error {
  constructor(node, error, options = {}) {
    super(typeof error === 'string' ? error : error.message);
    this.node = node;
    Object.assign(this, options);
  }
}

class NodeApiError extends NodeOperationError {
  constructor(node, response, options = {}) {
    super(node, options.message ?? response?.message ?? 'The request failed', options);
    this.response = response;
  }
}

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

module.exports = { NodeOperationError, NodeApiError, sleep };
