performance.mark('composer-ready');
