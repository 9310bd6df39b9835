import type { Language } from "../language.ts";

export const pt: Language = {
  code: "pt",
  everyday: {
    frame: "{who} {verb} {object} {when}.",
    who: "Joana;Rui;Mariana;Tiago;Catarina;Gonçalo;Leonor;Duarte;Teresa;Vasco;Raquel;Fernando",
    when: "na quinta-feira;no fim de semana;amanhã;hoje à noite;na próxima semana;ao meio-dia;depois do almoço;à noite;esta tarde;em abril;em novembro;no primeiro dia do mês;às sete;às nove e meia",
    deeds: [
      "escreve;lê;verifica;envia;assina|a carta;o contrato;a fatura;o relatório;a nota de encomenda;a lista de convidados;o comunicado de imprensa",
      "vende;conserta;limpa;compra;fotografa|a bicicleta;o sofá velho;o candeeiro;o barco de madeira;o relógio de parede;a estante;a mesa da cozinha",
      "encontra;visita;entrevista|o arquiteto;a presidente da câmara;o jardineiro;a jornalista;o fotógrafo;o alfaiate;o apicultor",
      "testa;melhora;explica|o carrinho de compras;o gráfico;o modelo de impressão;a página inicial;a galeria de imagens;o formulário de contacto",
    ],
  },
  facts: `
    1 A Marta é alérgica a amendoins e anda sempre com uma caneta de adrenalina. => A que é alérgica a Marta? => O que não pode haver na comida quando cozinhamos para a Marta?
    2 O utilizador quer respostas curtas, sem listas com marcadores. => Que tipo de respostas quer o utilizador? => Que tamanho e que forma devem ter as mensagens que lhe enviamos?
    3 O Jonas bebe o café simples, sem açúcar. => Como é que o Jonas bebe o café? => O Jonas põe leite nas bebidas quentes?
    4 No editor, o utilizador prefere um tema escuro com letra grande. => Que tema prefere o utilizador no editor? => Que aspeto deve ter o ambiente de desenvolvimento?
    5 A nossa filha adora dinossauros acima de tudo. => O que é que a nossa filha mais adora? => Que presente faria a nossa menina feliz?
    6 A Ines é vegetariana há dez anos. => Desde quando é a Ines vegetariana? => A Ines come carne?
    7 Nos voos, o utilizador reserva sempre um lugar à janela. => Que lugar reserva o utilizador nos voos? => Onde é que o utilizador gosta de se sentar no avião?
    8 A minha mãe só ouve música clássica, sobretudo Bach. => Que género de música ouve a minha mãe? => Que bilhetes para um concerto agradariam à mamã?
    9 O Tomas lidera a equipa de pagamentos desde março. => Quem lidera a equipa de pagamentos? => Quem é o responsável pelas pessoas que trabalham na faturação?
    10 A Priya faz anos no dia 14 de outubro. => Quando é que a Priya faz anos? => Em que dia devemos dar os parabéns à Priya?
    11 O meu vizinho, o senhor Keller, é um carpinteiro reformado. => Qual era o ofício do meu vizinho, o senhor Keller? => Qual era a profissão do homem da casa ao lado?
    12 O nosso contabilista só atende o telefone às terças de manhã. => Quando é que o nosso contabilista atende o telefone? => Quando posso ligar a quem trata dos nossos impostos?
    13 A Sofia fala português e neerlandês fluentemente. => Que línguas fala a Sofia? => Quem nos poderia traduzir uma carta de Lisboa?
    14 A nova estagiária começa no dia 1 de setembro. => Quando começa a nova estagiária? => Quando é que a aprendiz se junta a nós?
    15 O nosso senhorio vive no estrangeiro e só responde por e-mail. => Onde vive o nosso senhorio? => Como entro em contacto com o dono do apartamento?
    16 O meu irmão mudou-se para Oslo no verão passado. => Para onde se mudou o meu irmão? => Em que cidade mora agora o meu irmão?
    17 A aplicação móvel tem de estar pronta antes da feira de maio. => Quando tem de estar pronta a aplicação móvel? => Até quando temos de entregar o programa para telemóveis?
    18 O cliente rejeitou o nosso primeiro design porque era demasiado colorido. => Porque rejeitou o cliente o nosso primeiro design? => Porque é que quem nos contratou não gostou do esboço inicial?
    19 O orçamento para o novo armazém é de 80 000 euros. => De quanto é o orçamento para o novo armazém? => Quanto dinheiro podemos gastar no edifício de armazenamento?
    20 A tradução do manual está duas semanas atrasada. => Quanto tempo está atrasada a tradução do manual? => Qual é a demora dos guias do utilizador noutras línguas?
    21 O projeto-piloto no hospital acabou mais cedo porque as enfermeiras se queixaram da lentidão dos ecrãs. => Porque acabou mais cedo o projeto-piloto no hospital? => Porque foi interrompido o ensaio na clínica?
    22 O nome de código da nova versão da pesquisa, reescrita de raiz, é Heron. => Qual é o nome de código da nova versão da pesquisa? => Como chamamos internamente ao novo motor de busca?
    23 Na primeira segunda-feira de cada mês é publicada uma nova versão. => Quando é publicada uma nova versão? => Com que frequência saem os lançamentos?
    24 O widget de meteorologia vai ser de código aberto, com a licença MIT. => Com que licença vai ser publicado o widget de meteorologia? => Em que condições legais cedemos o componente de previsão do tempo?
    25 No ambiente de pré-produção, o Postgres escuta na porta 5433. => Que porta usa o Postgres no ambiente de pré-produção? => Como me ligo à base de dados de testes?
    26 As cópias de segurança correm todas as noites às três e são guardadas durante trinta dias. => Durante quanto tempo são guardadas as cópias de segurança? => Durante quanto tempo é possível recuperar dados perdidos?
    27 Os alertas vão para o canal #on-call, não por e-mail. => Para onde vão os alertas? => Onde aparecem os avisos de uma falha do serviço?
    28 Cada chave da API pode fazer cem pedidos por minuto. => Quantos pedidos por minuto pode fazer uma chave da API? => Quantas vezes pode um cliente chamar a nossa interface antes de ser limitado?
    29 As imagens carregadas não podem ter mais de 10 megabytes. => Que tamanho podem ter as imagens carregadas? => Que tamanho pode ter um ficheiro de fotografia?
    30 Os servidores de produção estão em Frankfurt. => Onde estão os servidores de produção? => Onde está alojado o nosso sistema real?
    31 As palavras-passe ficam no cofre, nunca em ficheiros de ambiente. => Onde ficam as palavras-passe? => Onde se devem guardar os segredos?
    32 O certificado do site expira a 30 de novembro. => Quando expira o certificado do site? => Até quando temos de renovar o TLS?
    33 Uma sessão termina após quinze minutos de inatividade. => Após quantos minutos de inatividade termina uma sessão? => Quando é que um utilizador parado é desligado automaticamente?
    34 Escolhemos o Kafka em vez do RabbitMQ porque tem de ser possível reproduzir as mensagens. => Porque escolhemos o Kafka? => Por que intermediário de mensagens optámos, e por que razão?
    35 A equipa decidiu deixar de suportar o Internet Explorer. => Que navegador deixou a equipa de suportar? => Com que navegador já não nos preocupamos?
    36 Os preços sobem cinco por cento em janeiro. => Quanto sobem os preços em janeiro? => Quanto mais vão os clientes pagar no próximo ano?
    37 Não vamos contratar ninguém antes do verão. => Quando vamos voltar a contratar pessoas? => Há vagas em aberto neste momento?
    38 Todas as datas são guardadas em UTC. => Em que fuso horário são guardadas as datas? => Que fuso horário usamos para gravar as marcas temporais?
    39 O escritório fica fechado entre o Natal e o Ano Novo. => Quando está fechado o escritório? => Alguém trabalha na última semana de dezembro?
    40 Cada alteração precisa da aprovação de dois revisores. => Quantos revisores têm de aprovar uma alteração? => Quantas pessoas têm de ver um pull request antes de ele ser integrado?
    41 O planeamento semanal passou de segunda para quarta-feira às dez. => Quando é o planeamento semanal? => Quando nos reunimos para organizar a semana?
    42 Na reunião do conselho de administração, a Nadia apresentou os números das vendas. => Quem apresentou os números das vendas na reunião do conselho de administração? => Quem falou das receitas perante os diretores?
    43 A chamada com o fornecedor foi cancelada por causa da greve. => Porque foi cancelada a chamada com o fornecedor? => Porque não falámos com quem nos abastece?
    44 A retrospetiva mostrou que os testes demoram demasiado a correr. => O que mostrou a retrospetiva? => O que mais incomodou os programadores ao olharem para trás no sprint?
    45 O script de importação vai abaixo se uma linha contiver um ponto e vírgula. => Quando é que o script de importação vai abaixo? => Que carácter faz falhar o carregamento dos dados?
    46 O nosso comboio para Viena parte às 7:42 da linha 9. => A que horas parte o nosso comboio para Viena? => A que horas seguimos viagem para a Áustria?
    47 Em Quioto ficámos numa pequena estalagem junto ao rio. => Onde ficámos em Quioto? => Onde dormimos na nossa viagem ao Japão?
    48 O meu passaporte é válido até 2031. => Até quando é válido o meu passaporte? => Até quando tenho de pedir novos documentos de viagem?
    49 Alugámos uma autocaravana para as férias na Escócia. => O que alugámos para as férias na Escócia? => Em que veículo percorremos as Terras Altas?
    50 A mala com a roda partida está na cave. => Onde está a mala com a roda partida? => Onde está a bagagem danificada?
    51 O avô toma todas as manhãs um comprimido para a tensão. => O que toma o avô todas as manhãs? => Que medicamento anda o vovô a tomar?
    52 Tenho consulta no dentista na quinta-feira às quatro e meia. => Quando tenho consulta no dentista? => Quando me vão examinar os dentes?
    53 O médico aconselhou o Karim a nadar duas vezes por semana por causa das costas. => O que aconselhou o médico ao Karim? => Que desporto deve o Karim praticar contra as dores?
    54 Desde a operação, a tia Rosa já não consegue subir escadas. => Desde quando é que a tia Rosa não consegue subir escadas? => Porque é que a Rosa precisa de um apartamento com elevador?
    55 A chave suplente está debaixo do vaso de flores azul. => Onde está a chave suplente? => Como entro em casa se ficar trancado do lado de fora?
    56 A máquina de lavar verte durante a centrifugação. => Quando é que a máquina de lavar verte? => Que eletrodoméstico está a perder água?
    57 O gato só é alimentado à noite. => Quando é alimentado o gato? => A que altura do dia recebe comida o nosso animal de estimação?
    58 O papel velho é recolhido sexta-feira sim, sexta-feira não. => Com que frequência é recolhido o papel velho? => Quando é preciso pôr os jornais antigos na rua?
    59 A função que interpreta datas falha nos anos bissextos. => Em que anos falha a função que interpreta datas? => Que erro temos com o 29 de fevereiro?
    60 Os testes correm em paralelo, por isso não podem partilhar uma pasta temporária. => Porque não podem os testes partilhar uma pasta temporária? => Porque precisa cada caso de teste do seu próprio diretório?
  `,
};
