-- The built-in table of words knows hardly a word of other scripts than Latin: vectors of such texts were made of single
-- letters, by which all are alike. Those are made again, in the background. One pass over the texts; other vectors stay.
delete from embeddings e using embedding_generations g, memories m
where g.id = e.generation and g.provider = 'builtin' and not e.by_caller
  and m.id = e.memory and m.content ~ '[\u0370-\u1cff\u1f00-\u1fff\u2e80-\ud7ff\uf900-\uffef]';
